"""Comparisons of devices and of results."""
