"""The submit page: the form, its preview, the page after publishing, and the commands to measure with."""
