"""Sync writes through a file system or volume."""
