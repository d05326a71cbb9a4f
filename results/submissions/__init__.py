"""A paste becomes stored results."""
