"""What the preview asks about a series: a log states neither its device nor how it was written."""

from results.core.formats import format_block_size
from results.kinds.named_device import find_devices
from results.kinds.sustained.models import STATES
from results.kinds.told import Question, whole_number
from results.models.choices import DataContent, Pattern
from results.models.conditions import FLUSH_OFF, SYNC_METHODS

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
MAX_IN_FLIGHT = 9999  # as results.models.result.WRITERS


QUESTIONS = (
    Question(
        key="series_device",
        label="Which device",
        look_up=find_devices,
        hint="Its model, if we list it. Otherwise, add the output of smartctl -a.",
    ),
    Question(
        key="series_metric",
        label="What the log contains",
        choices=METRICS,
        hint="The file’s name ends with it.",
    ),
    Question(key="series_pattern", label="Order of the writes", choices=dict(Pattern.choices)),
    Question(
        key="series_random",
        label="Random share of the writes (%)",
        clean=whole_number(1, 99),
        hint="Only if they are partly random.",
    ),
    Question(key="series_size", label="Transfer size", choices=SIZES),
    Question(key="series_align", label="Aligned to", choices=ALIGNMENTS),
    Question(key="series_content", label="Data written", choices=CONTENTS),
    Question(
        key="series_share",
        label="Compressible share of the data (%)",
        clean=whole_number(1, 99),
        hint="Only if it is compressible.",
    ),
    Question(key="series_depth", label="Queue depth of each worker", clean=whole_number(1, MAX_IN_FLIGHT)),
    Question(key="series_workers", label="Workers (numjobs)", clean=whole_number(1, MAX_IN_FLIGHT)),
    Question(
        key="series_sync",
        label="How each write was synced",
        choices={**SYNC_METHODS, FLUSH_OFF: "not at all"},
    ),
    Question(key="series_state", label="State of the device before the test", choices=STATES),
    Question(
        key="series_logs",
        label="If there are several logs, they were written",
        choices={TOGETHER: "at the same time, one per job", IN_TURN: "one after the other"},
    ),
    Question(
        key="series_idle",
        label="Idle between them (minutes)",
        clean=whole_number(1, 7 * 24 * 60),
        hint="Only for logs that were written one after the other.",
    ),
    Question(
        key="series_unit",
        label="Unit of its latencies",
        choices={NANOSECONDS: "ns (fio 3)", MICROSECONDS: "µs (fio 2)"},
    ),
)
KEYS = frozenset(one.key for one in QUESTIONS)
