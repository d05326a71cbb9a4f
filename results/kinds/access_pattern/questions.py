"""What the preview asks about an observed pattern."""

from results.kinds.access_pattern.models import OBSERVED
from results.kinds.pool_io.questions import QUESTIONS as OF_POOLS
from results.kinds.told import Question, whole_number

MAX_FILE_SYSTEMS, LONGEST_ROW = 10_000, 86_400
SHARED = ("vdev_type", "vdev_count", "vdev_members", "system", "zfs_version", "pool", "log", "log_device")
QUESTIONS = (
    Question(key="observed", label="What was observed", choices=OBSERVED),
    Question(
        key="file_systems",
        label="File systems written to",
        clean=whole_number(1, MAX_FILE_SYSTEMS),
        hint="How many at the same time. Each has its own ZIL, so more of them make the log’s writes more random.",
    ),
    Question(
        key="seconds_a_row",
        label="Seconds per row",
        clean=whole_number(1, LONGEST_ROW),
        hint="The interval you gave iopattern. Without it, we can’t tell the rate.",
    ),
    *(one for one in OF_POOLS if one.key in SHARED),
)
