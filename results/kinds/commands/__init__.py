"""Commands that people run to measure a disk, a folder or a pool."""
