"""Devices in order, narrowed by filters."""
