"""Where to find the command that measures what the site compares.

It overwrites a disk, so no message shows it: the page puts a check in front of it that the disk is unused.
"""

COMMANDS_PAGE = "/submit/commands/"
HOW_TO_MEASURE = f"See {COMMANDS_PAGE} for the command that measures what we compare"
