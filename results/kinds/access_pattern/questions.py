"""What the preview asks about an observed pattern."""

from results.kinds.access_pattern.models import OBSERVED
from results.kinds.answers import Question, whole_number
from results.kinds.pool.questions import QUESTIONS as OF_POOLS

MAX_FILE_SYSTEMS, LONGEST_ROW = 10_000, 86_400
SHARED = ("vdev_type", "vdev_count", "vdev_members", "system", "zfs_version", "pool", "log", "log_device")
QUESTIONS = (
    Question("observed", "What was observed", choices=OBSERVED),
    Question(
        "file_systems",
        "File systems written to",
        clean=whole_number(1, MAX_FILE_SYSTEMS),
        hint="How many at the same time. Each has its own ZIL, so more of them make the log’s writes more random.",
    ),
    Question(
        "seconds_a_row",
        "Seconds per row",
        clean=whole_number(1, LONGEST_ROW),
        hint="The interval you gave iopattern. Without it, we can’t tell the rate.",
    ),
    *(question for question in OF_POOLS if question.key in SHARED),
)
