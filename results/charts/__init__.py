"""Charts: one description, rendered to SVG."""
