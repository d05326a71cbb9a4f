"""Log devices in use: what a check of a live log counted, as its owner shares it."""
