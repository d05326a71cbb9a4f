"""Which product a name means, which device a run is of, and what follows when that changes."""
