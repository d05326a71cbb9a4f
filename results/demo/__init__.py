"""Made-up data to try the site with."""
