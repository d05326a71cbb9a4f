"""Nothing that names a unit, a machine or a person leaks from lines as people paste them; figures survive."""

import pytest

from parsers.privacy.mask import redact
from parsers.privacy.table import LABELS
from tests.parsers.privacy.spelled import KINDS, VALUES, labelled, leaks, spellings
from tests.parsers.samples import DISKINFO, identified

RUN = "root@zz:~ # diskinfo -wS /dev/da4\n" + identified(DISKINFO, serial="QZ000RUNSERIAL1")


def masked(text):
    return redact(text, unit_key=b"key", unit_digests={}).text


@pytest.mark.parametrize("above", ["", RUN], ids=["alone", "below a run"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "kept"])
def test_no_spelling_gets_out(kind, above):
    found = {case.name: leaks(case.secrets, masked(above + case.text)) for case in spellings(kind)}
    assert {name: leaked for name, leaked in found.items() if leaked} == {}


def test_what_is_no_identifier_stays():
    assert [case.name for case in spellings("kept") if masked(case.text) != case.text] == []


@pytest.mark.parametrize("kind", KINDS)
def test_masking_a_masked_spelling_changes_nothing(kind):
    once = {case.name: masked(case.text) for case in spellings(kind)}
    assert {name: text for name, text in once.items() if masked(text) != text} == {}


@pytest.mark.parametrize("case", labelled(), ids=lambda case: f"{case.label.kind}: {case.name}")
def test_each_label_is_masked_in_text_and_in_json_and_nothing_but_its_value(case):
    middle = len(case.key) // 2 + 2
    broken = f"{case.member[:middle]}\n{case.member[middle:]}"
    for text in (case.line, case.line.upper().replace(case.secret.upper(), case.secret), case.member, broken):
        assert masked(text) == case.masked(text)


@pytest.mark.parametrize(
    "label", [label for label in LABELS if label.is_heading], ids=lambda one: one.names[0]
)
def test_each_heading_masks_its_column(label):
    for name in label.names:
        secret = VALUES[label.kind].format(1001)
        table = f"DEVICE  {name.lstrip('*').upper()}            SIZE\nda1     {secret}    400G\n"
        assert masked(table) == table.replace(secret, f"[{label.kind}-1]")
