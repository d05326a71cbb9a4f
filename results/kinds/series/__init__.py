"""Stored series of writes: their figures, verdicts and charts, as several pages show them."""
