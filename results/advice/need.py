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


# The answers that decide, by question; the first one given counts
_VERDICTS: dict[str, dict[str, Verdict]] = {
    "sync": {Sync.NO: Verdict.NOT_SYNC, Sync.UNKNOWN: Verdict.FIND_OUT},
    "without": {Without.SLOW: Verdict.FIX_THE_PATH, Without.UNTRIED: Verdict.TRY_WITHOUT},
    "loss": {Loss.ALLOWED: Verdict.ALLOW_THE_LOSS},
    "pool": {Pool.PROTECTED: Verdict.HARDLY},
    "special": {one: Verdict.SPECIAL_IS_LOG if one is Special.NEWER else Verdict.YES for one in Special},
}
QUESTIONS = tuple(_VERDICTS)


def decide(
    sync: str, *, without: str = "", loss: str = "", pool: str = "", special: str = ""
) -> Verdict | str:
    """The verdict of the first decisive answer, or the next question's name."""
    answers = (sync, without, loss, pool, special)
    for (name, verdicts), answer in zip(_VERDICTS.items(), answers, strict=True):
        if not answer:
            return name
        if answer in verdicts:
            return verdicts[answer]
    raise ValueError("no verdict for these answers")
