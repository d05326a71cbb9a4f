"""The API of submissions: what a request may contain, and what answers it."""
