"""Grids of iozone side by side."""
