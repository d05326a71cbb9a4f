"""What a command says when a disk is full: PostgreSQL's error names one of its files, but not what to do."""

DISK_FULL = "53100"  # PostgreSQL's code for it
NO_SPACE = "No space left on device"
FULL = (
    'A disk is full: free some space (docs/day-two.md, "A full disk"), and run this again. The cause: {cause}'
)


def is_of_full_disk(error: Exception) -> bool:
    """Whether the error of PostgreSQL, one of its programs or the system says that a disk is full."""
    codes = {getattr(cause, "sqlstate", None) for cause in (error, error.__cause__)}
    return DISK_FULL in codes or NO_SPACE in str(error)


def explain(error: Exception) -> str:
    """What an operator should know about the error; the error's own text if no disk is full."""
    if not is_of_full_disk(error):
        return str(error)
    lines = str(error).splitlines() or [NO_SPACE]
    return FULL.format(cause=next((line for line in lines if NO_SPACE in line), lines[0]).strip())
