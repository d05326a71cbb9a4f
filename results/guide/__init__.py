"""The guide and the method page."""
