"""What the preview asks about a series: a log states neither its device nor how it was written."""

from results.core.formats import format_block_size
from results.kinds.answers import Question, whole_number
from results.kinds.named_device import find_devices
from results.kinds.series.models import STATES
from results.models.choices import DataContent, Pattern
from results.models.conditions import FLUSH_OFF, SYNC_METHODS
from results.models.result import MAX_WRITERS

METRICS = {
    "iops": "writes per second (_iops)",
    "bw": "KiB per second (_bw)",
    "lat": "total latency (_lat)",
    "clat": "completion latency (_clat)",
}
TOGETHER, IN_TURN = "together", "in_turn"
NANOSECONDS, MICROSECONDS = "ns", "us"
REPEATING = "repeating"
CONTENTS = {
    "random": "random data",
    REPEATING: "one byte, repeated",
    "zeros": "zeros",
    "compressible": "compressible data",
}
STORED_CONTENT = {
    "random": DataContent.RANDOM.value,
    REPEATING: DataContent.COMPRESSIBLE.value,
    "zeros": DataContent.ZEROS.value,
    "compressible": DataContent.COMPRESSIBLE.value,
}
SIZES = {str(size): format_block_size(size) for size in (512 << step for step in range(13))}
ALIGNMENTS = {"512": "512 B", "4096": "4 KiB"}


QUESTIONS = (
    Question(
        "series_device",
        "Which device",
        look_up=find_devices,
        hint="Its model, if we list it. Otherwise, add the output of smartctl -a.",
    ),
    Question("series_metric", "What the log contains", choices=METRICS, hint="The file’s name ends with it."),
    Question("series_pattern", "Order of the writes", choices=dict(Pattern.choices)),
    Question(
        "series_random",
        "Random share of the writes (%)",
        clean=whole_number(1, 99),
        hint="Only if they are partly random.",
    ),
    Question("series_size", "Transfer size", choices=SIZES),
    Question("series_align", "Aligned to", choices=ALIGNMENTS),
    Question("series_content", "Data written", choices=CONTENTS),
    Question(
        "series_share",
        "Compressible share of the data (%)",
        clean=whole_number(1, 99),
        hint="Only if it is compressible.",
    ),
    Question("series_depth", "Queue depth of each worker", clean=whole_number(1, MAX_WRITERS)),
    Question("series_workers", "Workers (numjobs)", clean=whole_number(1, MAX_WRITERS)),
    Question("series_sync", "How each write was synced", choices={**SYNC_METHODS, FLUSH_OFF: "not at all"}),
    Question("series_state", "State of the device before the test", choices=STATES),
    Question(
        "series_logs",
        "If there are several logs, they were written",
        choices={TOGETHER: "at the same time, one per job", IN_TURN: "one after the other"},
    ),
    Question(
        "series_idle",
        "Idle between them (minutes)",
        clean=whole_number(1, 7 * 24 * 60),
        hint="Only for logs that were written one after the other.",
    ),
    Question(
        "series_unit",
        "Unit of its latencies",
        choices={NANOSECONDS: "ns (fio 3)", MICROSECONDS: "µs (fio 2)"},
    ),
)
KEYS = frozenset(question.key for question in QUESTIONS)
