"""The catalogue's files: read, loaded and written."""
