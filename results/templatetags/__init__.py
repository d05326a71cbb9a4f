"""Custom template tags."""
