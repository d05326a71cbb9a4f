"""All data as files."""
