"""Running the site: health, metrics, backups."""
