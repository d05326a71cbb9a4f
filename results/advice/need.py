"""Whether a SLOG would help: five questions; the first decisive answer counts."""

from enum import StrEnum
from typing import Self

from results.advice.openzfs import facts


class Answer(StrEnum):
    """The answers to a question, each with its text."""

    text: str

    def __new__(cls, value: str, text: str) -> Self:
        answer = str.__new__(cls, value)
        answer._value_, answer.text = value, text
        return answer


class Sync(Answer):
    """Whether the workload waits until its writes are safe."""

    YES = "yes", "They wait: NFS from a hypervisor, a database, sync=always"
    NO = "no", "They don’t: SMB shares, backups, media, downloads"
    UNKNOWN = "unknown", "I don’t know"


class Without(Answer):
    """How the same workload performs on a test dataset with sync=disabled."""

    FAST = "fast", "It is fast"
    SLOW = "slow", "It is still slow"
    UNTRIED = "untried", "I haven’t tried"


class Loss(Answer):
    """Whether a power cut may lose the last seconds of writes."""

    FORBIDDEN = "forbidden", "No: confirmed writes must not be lost"
    ALLOWED = "allowed", "Yes: I can do the last seconds again"


class PoolMedium(Answer):
    """What the pool's data is stored on."""

    DISKS = "disks", "Hard disks"
    UNPROTECTED = "unprotected", "SSDs without power-loss protection, or I don’t know"
    PROTECTED = "protected", "SSDs with power-loss protection"


_SPECIAL_IS_LOG = facts()["special_is_log"].since


class Special(Answer):
    """Whether the pool has a special vdev that holds the log without a SLOG."""

    NONE = "none", "No"
    NEWER = "newer", f"Yes, on SSDs, and OpenZFS is {_SPECIAL_IS_LOG} or newer"
    OLDER = "older", f"Yes, and OpenZFS is older than {_SPECIAL_IS_LOG} (TrueNAS 25.10 is)"
    UNKNOWN = "unknown", "I don’t know"


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
    "pool": {PoolMedium.PROTECTED: Verdict.HARDLY},
    "special": {
        special: Verdict.SPECIAL_IS_LOG if special is Special.NEWER else Verdict.YES for special in Special
    },
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
