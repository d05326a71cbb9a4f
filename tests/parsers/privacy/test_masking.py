"""Masking twice is masking once, and no reading depends on it; a unit has one digest, however it is spelled."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers import blocks
from parsers import paste as paste_module
from parsers.paste import parse_paste, read_masked
from parsers.privacy.mask import redact, take_masked
from tests import pastes
from tests.parsers.privacy.spelled import spellings
from tests.parsers.samples import ALL, identified

KINDS = ("wwn", "pool", "serial", "people", "address", "other", "fresh", "later", "kept")
ENDINGS = (".txt", ".json", ".md")
# What holds an identifier or its mask
IDENTIFIERS = ("serial", "path", "physical_path", "description", "unit")
# An output ends at the next prompt, which is known by the mask of its host: here by any host
ANY_HOST = re.compile(blocks.PROMPT.pattern.replace(r"\[host-[0-9]{1,6}\]", r"[\w.-]{1,60}"))
any_time = settings(deadline=None, max_examples=60)
serials = st.from_regex(r"[A-Z]{2}[0-9]{3}[A-Z0-9]{6,12}", fullmatch=True)


def corpus():
    """The shared samples, where SLOGDB_CORPUS names their folder."""
    folder = os.environ.get("SLOGDB_CORPUS")
    for path in sorted(Path(folder).rglob("*")) if folder else ():
        if path.is_file() and path.suffix in ENDINGS and ".expected" not in path.name:
            yield path.name, path.read_bytes()


def own_pastes():
    yield "diskinfo", pastes.FIRST_PASTE
    yield "both", pastes.FIRST_PASTE + pastes.smartctl()
    yield from ((name, identified(template)) for name, template in ALL.items())
    yield from ((case.name, pastes.FIRST_PASTE + case.text) for kind in KINDS for case in spellings(kind))


def masked(text):
    return redact(text, unit_key=b"key", unit_digests={}).text


def faults(raw):
    """What of a paste changes when its masked text is masked or read again."""
    first = parse_paste(raw, unit_key=b"key")
    again = parse_paste(first.text, unit_key=b"another", unit_digests=first.unit_digests)
    if first.text and again != first:
        yield "masked again"
    if first.text and read_masked(first.text, unit_digests=first.unit_digests) != first:
        yield "read again"


def unmasked(raw):
    """The paste as it would be read if nothing of it were masked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "PROMPT", ANY_HOST)
        patch.setattr(blocks, "COMMAND_SIGN", re.compile(f"{blocks.COMMAND_SIGN.pattern}|@"))
        patch.setattr(paste_module, "redact", lambda text, **_: take_masked(text, unit_digests={}))
        return parse_paste(raw, unit_key=b"key")


def without_identifiers(reading):
    names = {name: None for name in IDENTIFIERS if hasattr(reading, name)}
    return replace(reading, **names)


def test_a_paste_masked_again_is_the_same():
    found = {name: list(faults(raw)) for name, raw in [*own_pastes(), *corpus()]}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_what_is_read_is_what_the_tools_printed_apart_from_identifiers():
    wrong = []
    for name, raw in [*own_pastes(), *corpus()]:
        plain, read = unmasked(raw), parse_paste(raw, unit_key=b"key")
        if list(map(without_identifiers, plain.readings)) != list(map(without_identifiers, read.readings)):
            wrong.append(name)
    assert wrong == []


@any_time
@given(parts=st.lists(st.sampled_from([case.text for kind in KINDS for case in spellings(kind)]), max_size=6))
def test_masking_spellings_together_twice_is_masking_them_once(parts):
    once = masked("".join(parts))
    assert masked(once) == once


@any_time
@given(
    serial=serials, place=st.integers(2, 6), separator=st.sampled_from(["-", "_", "\u00a0", "\u2009", "\x0b"])
)
def test_a_serial_number_has_one_digest_however_it_is_spelled(serial, place, separator):
    spelled = {
        serial,
        serial.lower(),
        serial[:place] + separator + serial[place:],
    }
    labels = ("Serial Number:    {}\n", '"serial_number": "{}"\n', "\t{}\t# Disk ident.\n", "S/N: {}\n")
    digests = {
        digest
        for value in spelled
        for label in labels
        for digest in redact(label.format(value), unit_key=b"key", unit_digests={}).unit_digests.values()
    }
    assert len(digests) == 1
