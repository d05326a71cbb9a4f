"""What the preview asks about a grid beyond what it asks about any workload on a pool."""

import re

from parsers.base.units import bytes_of_size_option
from parsers.privacy.free_text import mask_free_text
from results.kinds.answers import Question
from results.kinds.grid.operations import OPERATIONS
from results.kinds.pool.questions import MAX_ARC_GIB
from results.kinds.pool.questions import QUESTIONS as OF_POOL
from results.models.fields import LARGEST_INTEGER

LONGEST_DRIVES = 90
MAX_DOUBTS = 20
REPEATED = "repeated"
_DRIVES = re.compile(r"[\w ./+,()&#-]+")
_GIB = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,2})?")
_SIZE = re.compile(r"[0-9]{1,7}[kKmM]")
_WORDS = {name.replace("_", " "): name for name in OPERATIONS} | {
    label.lower(): name for name, label in OPERATIONS.items()
}


def _clean_gib(text: str) -> str:
    if not _GIB.fullmatch(text) or not 0 < float(text) <= MAX_ARC_GIB:
        raise ValueError(f"Enter a number up to {MAX_ARC_GIB:,}, such as 2 or 7.5.")
    return text


def _clean_drives(text: str) -> str:
    if len(text) > LONGEST_DRIVES or not _DRIVES.fullmatch(text):
        raise ValueError(
            f"Enter model names only, at most {LONGEST_DRIVES} characters, such as “WD Red 4 TB”."
        )
    return mask_free_text(text)


def _clean_doubts(text: str) -> str:
    return ", ".join(
        f"{OPERATIONS[name].lower()} {f'{size // 1024}k' if size else ''}".rstrip()
        for name, size in doubts(text)
    )


def doubts(text: str) -> list[tuple[str, int | None]]:
    """The doubted figures of an answer: operations, each with its record size in bytes if one is named.

    Raises ValueError, with what is wrong, unless the text is such as "read 1m, random write 64k, fwrite".
    """
    found: list[tuple[str, int | None]] = []
    for part in text.lower().split(","):
        words = part.split()
        size = bytes_of_size_option(words.pop()) if words and _SIZE.fullmatch(words[-1]) else None
        name = _WORDS.get(" ".join(words))
        if name is None or (size is not None and not 0 < size <= LARGEST_INTEGER):
            raise ValueError(
                f"We can’t read “{part.strip()[:40]}”. Write an operation and a record size, such as “read 1m, "
                "random write 64k”."
            )
        found.append((name, size))
    if len(found) > MAX_DOUBTS:
        raise ValueError(f"At most {MAX_DOUBTS} figures.")
    return list(dict.fromkeys(found))


QUESTIONS = (
    *OF_POOL,
    Question(
        "arc_limit_gib",
        "ARC size, if limited (GiB)",
        clean=_clean_gib,
        hint="Reads of a file that fits into the ARC never reach the drives.",
    ),
    Question(
        "drives",
        "Data drives",
        clean=_clean_drives,
        hint="Their models, without serial numbers.",
        is_free=True,
    ),
    Question(
        "repeats",
        "If there are several tables",
        choices={REPEATED: "the same test, repeated", "apart": "different tests"},
        hint="Repeated tests become one grid that shows the range of their figures.",
        is_of_paste=True,
    ),
    Question(
        "doubts",
        "Figures that need a retest",
        clean=_clean_doubts,
        hint="Such as “read 1m, random write 64k”.",
    ),
)
