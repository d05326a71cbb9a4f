"""Nothing that names a unit, a machine or a person leaks from lines as people paste them; figures survive."""

import pytest

from parsers.privacy.mask import redact
from tests.parsers.privacy.spelled import leaks, spellings
from tests.parsers.samples import DISKINFO, identified

KINDS = ("wwn", "pool", "serial", "people", "address", "other", "fresh", "later")
RUN = "root@zz:~ # diskinfo -wS /dev/da4\n" + identified(DISKINFO, serial="QZ000RUNSERIAL1")


def masked(text):
    return redact(text, unit_key=b"key", unit_digests={}).text


@pytest.mark.parametrize("above", ["", RUN], ids=["alone", "below a run"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_spelling_gets_out(kind, above):
    found = {case.name: leaks(case.secrets, masked(above + case.text)) for case in spellings(kind)}
    assert {name: leaked for name, leaked in found.items() if leaked} == {}


def test_what_is_no_identifier_stays():
    assert [case.name for case in spellings("kept") if masked(case.text) != case.text] == []


@pytest.mark.parametrize("kind", [*KINDS, "kept"])
def test_masking_a_masked_spelling_changes_nothing(kind):
    once = {case.name: masked(case.text) for case in spellings(kind)}
    assert {name: text for name, text in once.items() if masked(text) != text} == {}
