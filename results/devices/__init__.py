"""One device."""
