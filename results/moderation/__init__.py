"""Moderation: reports, decisions, the log."""
