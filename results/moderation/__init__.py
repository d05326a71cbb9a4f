"""Moderators' work."""
