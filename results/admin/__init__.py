"""Django's own admin: tables to look things up in, and what moderators do to devices and products."""

from results.admin import devices, pins, products, sessions, submissions, tables

__all__ = ["devices", "pins", "products", "sessions", "submissions", "tables"]
