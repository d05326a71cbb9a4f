"""What features share and none owns."""
