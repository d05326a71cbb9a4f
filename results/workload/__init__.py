"""Devices in the order of a reader's own mix of block sizes."""
