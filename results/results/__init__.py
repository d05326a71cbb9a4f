"""One result."""
