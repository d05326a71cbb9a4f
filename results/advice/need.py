"""Whether a SLOG would help: five questions; the first decisive answer counts."""

from enum import StrEnum


class Sync(StrEnum):
    """Whether the workload waits until its writes are safe."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Without(StrEnum):
    """How the same workload performs on a test dataset with sync=disabled."""

    FAST = "fast"
    SLOW = "slow"
    UNTRIED = "untried"


class Loss(StrEnum):
    """Whether a power cut may lose the last seconds of writes."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


class Pool(StrEnum):
    """What the pool's data is stored on."""

    DISKS = "disks"
    UNPROTECTED = "unprotected"
    PROTECTED = "protected"


class Special(StrEnum):
    """Whether the pool has a special vdev that holds the log without a SLOG: from OpenZFS 2.4.0 on."""

    NONE = "none"
    OLDER = "older"
    NEWER = "newer"
    UNKNOWN = "unknown"


class Verdict(StrEnum):
    """The conclusion; results/guide/need.py has its texts."""

    NOT_SYNC = "not_sync"
    FIND_OUT = "find_out"
    FIX_THE_PATH = "fix_the_path"
    TRY_WITHOUT = "try_without"
    ALLOW_THE_LOSS = "allow_the_loss"
    HARDLY = "hardly"
    SPECIAL_IS_LOG = "special_is_log"
    YES = "yes"


_BY_SYNC: dict[str, Verdict] = {Sync.NO: Verdict.NOT_SYNC, Sync.UNKNOWN: Verdict.FIND_OUT}
_BY_WITHOUT: dict[str, Verdict] = {Without.SLOW: Verdict.FIX_THE_PATH, Without.UNTRIED: Verdict.TRY_WITHOUT}
_BY_LOSS: dict[str, Verdict] = {Loss.ALLOWED: Verdict.ALLOW_THE_LOSS}
_BY_POOL: dict[str, Verdict] = {Pool.PROTECTED: Verdict.HARDLY}
_BY_SPECIAL: dict[str, Verdict] = {
    Special.NEWER: Verdict.SPECIAL_IS_LOG,
    Special.NONE: Verdict.YES,
    Special.OLDER: Verdict.YES,
    Special.UNKNOWN: Verdict.YES,
}
QUESTIONS = ("sync", "without", "loss", "pool", "special")


def decide(
    sync: str, *, without: str = "", loss: str = "", pool: str = "", special: str = ""
) -> Verdict | str:
    """The verdict of the first decisive answer, or the next question's name."""
    steps = (
        ("sync", sync, _BY_SYNC),
        ("without", without, _BY_WITHOUT),
        ("loss", loss, _BY_LOSS),
        ("pool", pool, _BY_POOL),
        ("special", special, _BY_SPECIAL),
    )
    for name, answer, verdicts in steps:
        if not answer:
            return name
        if answer in verdicts:
            return verdicts[answer]
    raise ValueError("no verdict for these answers")
