"""What was erased and which accounts were closed, kept beside the backups: an older one brings nothing of it back.

A line a public id, or a digest of an account; lines are only ever added. The backups themselves hold what they held,
until rotation drops them.
"""

import os
import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from results.accounts.data import close_account
from results.core.digests import digest_account
from results.models import ClosedAccount, Member, Submission
from results.models.choices import State
from results.submissions.edit import erase_submission

FILE = "erasures.txt"
_LINE = re.compile(r"[2-9a-z]{10}|[0-9a-f]{64}")
REASON = "Erased before; put back with a backup, and erased again."


def note_erasures(folder: Path) -> int:
    """Add what was erased or closed and is not listed yet; how many lines that were."""
    listed = set(listed_erasures(folder))
    erased = Submission.objects.filter(state=State.ERASED).order_by("pk").values_list("public_id", flat=True)
    closed = ClosedAccount.objects.order_by("closed_at").values_list("digest", flat=True)
    new = [line for line in chain(erased, closed) if line not in listed]
    if new:
        cut_off = _written(folder).rpartition("\n")[2]
        with (folder / FILE).open("a", encoding="ascii") as file:
            file.write("\n" if cut_off else "")
            file.writelines(f"{line}\n" for line in new)
            file.flush()
            os.fsync(file.fileno())
    return len(new)


def listed_erasures(folder: Path) -> list[str]:
    """The lines that were listed so far; one that was cut off by a crash is none."""
    return [line for line in _written(folder).splitlines() if _LINE.fullmatch(line)]


def _written(folder: Path) -> str:
    try:
        return (folder / FILE).read_text(encoding="ascii")
    except FileNotFoundError:
        return ""


def erase_again(lines: Iterable[str]) -> None:
    """Erase those of these that are there unerased, and close the accounts that are open.

    An account's results are left without their owner: those that went with it are listed themselves. Each in a
    transaction of its own, beside whoever uses the site already. Idempotent.
    """
    listed = set(lines)
    for submission in Submission.objects.filter(public_id__in=listed).exclude(state=State.ERASED):
        erase_submission(submission, reason=REASON)
    for member in Member.objects.iterator():
        if digest_account(member.pk, member.date_joined) in listed:
            close_account(member, keeps_results=True)
