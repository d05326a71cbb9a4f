"""Django's backend for PostgreSQL, which loads its `base` by this package's name."""
