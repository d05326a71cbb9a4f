"""The whole public data set as files: built in a task, replaced at once, served for download."""
