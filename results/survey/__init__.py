"""The classes side by side."""
