"""Tags of our own."""
