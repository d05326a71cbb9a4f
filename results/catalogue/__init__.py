"""What products there are, which device is which product, and what its sources say of power-loss protection."""
