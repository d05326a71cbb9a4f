"""Made-up devices and results, for trying the site out and for tests of size; never beside real ones."""
