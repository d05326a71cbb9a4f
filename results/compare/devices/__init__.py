"""Devices side by side."""
