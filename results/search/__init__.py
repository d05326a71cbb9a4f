"""Search over devices and products."""
