"""Code shared by all features."""
