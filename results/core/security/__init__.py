"""Secrets, sessions, limits, and what is recorded of them."""
