"""Members and their accounts."""
