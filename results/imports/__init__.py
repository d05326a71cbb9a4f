"""Many old results at once: bulk imports and forum threads."""
