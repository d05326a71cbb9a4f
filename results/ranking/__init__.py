"""From results to places: medians a unit, medians a device, order within a class."""
