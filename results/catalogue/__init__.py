"""Products, and which device is which."""
