"""Shared by commands: members, reasons, the responsible moderator, and progress output."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from django.core.management.base import CommandError, OutputWrapper
from tqdm import tqdm

from results.core.parameters import parse_whole_number
from results.imports.bulk import Text, import_texts
from results.models import ImportBatch, Member, lengths

MAX_DIGITS_OF_A_MEMBER = 9


def find_moderator(address: str | None) -> Member:
    """The member of staff with that e-mail address. Raises CommandError."""
    if not address:
        raise CommandError("--publish needs --moderator: an import needs a responsible moderator.")
    moderator = Member.objects.filter(email__iexact=address, is_staff=True).first()
    if moderator is None:
        raise CommandError(f"{address} is not the address of a moderator.")
    return moderator


def find_member(name: str) -> Member:
    """The member with that e-mail address, or with the number that the log has. Raises CommandError."""
    is_number = is_member_number(name)
    member = Member.objects.filter(**{"pk" if is_number else "email__iexact": name}).first()
    if member is None:
        raise CommandError(f"{name} is not the {'number' if is_number else 'address'} of a member.")
    return member


def is_member_number(text: str) -> bool:
    """Tell it from ids of submissions and digests of networks, which are longer."""
    return parse_whole_number(text, max_digits=MAX_DIGITS_OF_A_MEMBER) is not None


def import_and_report(texts: Iterable[Text], batch: ImportBatch, out: OutputWrapper) -> tuple[int, int]:
    """Import the texts and print those that failed; return the numbers of stored and failed ones."""
    new = failed = 0
    for imported in import_texts(texts, batch):
        new += imported.new_count
        failed += len(imported.skipped)
        for skipped in imported.skipped:
            out.write(f"{skipped.text.place}: skipped. {skipped.reason}")
    return new, failed


def checked_reason(reason: str | None) -> str:
    """The reason in one line, within the log's limit. Raises CommandError without one."""
    reason = " ".join((reason or "").split())
    if not reason:
        raise CommandError("Give a --reason; it is recorded in the log.")
    if len(reason) > lengths.GIVEN_REASON:
        raise CommandError(f"--reason is longer than {lengths.GIVEN_REASON} characters.")
    return reason


class ProgressStep(Protocol):
    """A completed step: `done` of `total`."""

    @property
    def text(self) -> str: ...
    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...


SCALED_FROM = 10_000  # larger totals are shown in thousands


class _Terminal:
    """A command's output for a progress bar: no line ends are added."""

    def __init__(self, out: OutputWrapper) -> None:
        self._out = out
        self.flush = out.flush

    def write(self, text: str) -> None:
        self._out.write(text, ending="")


AnyStep = TypeVar("AnyStep", bound=ProgressStep)


def show_progress(
    steps: Iterable[AnyStep], out: OutputWrapper, *, steps_a_line: int = 1
) -> Iterator[AnyStep]:
    """Yield the steps and show each; a change of the total begins another bar."""
    if out.isatty():
        yield from _show_bars(steps, out)
        return
    for step in steps:
        if step.done % steps_a_line == 0 or step.done == step.total:
            out.write(f"{step.text}: {step.done:,} of {step.total:,}")
        yield step


def _show_bars(steps: Iterable[AnyStep], out: OutputWrapper) -> Iterator[AnyStep]:
    bar: tqdm[None] | None = None
    try:
        for step in steps:
            if bar is None or bar.total != step.total or step.done < bar.n:
                if bar is not None:
                    bar.close()
                bar = tqdm(
                    desc=step.text,
                    total=step.total,
                    file=_Terminal(out),
                    dynamic_ncols=True,
                    unit_scale=step.total >= SCALED_FROM,
                )
            bar.set_description(step.text, refresh=False)
            bar.update(step.done - bar.n)
            yield step
    finally:
        if bar is not None:
            bar.close()
