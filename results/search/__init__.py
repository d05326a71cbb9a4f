"""Search for devices and products."""
