"""Devices in order, and the filters of their list."""
