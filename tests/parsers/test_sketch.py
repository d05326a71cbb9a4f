"""A cheap test may skip a search only where it would have found nothing: with and without, the result is the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers import class_evidence, class_patterns, classify, diskinfo, traced
from parsers.paste import parse_paste
from parsers.sketch import may_hold, sketch, sketches
from tests.parsers.samples import ALL, identified
from tests.parsers.test_corpus import CORPUS
from tests.parsers.test_paste import pasted
from tests.parsers.test_redact import WAYS

any_time = settings(deadline=None)
SAMPLES = sorted(CORPUS.rglob("*.txt"))


class Everything(str):
    """The sketch of a text that every word is in."""

    __slots__ = ()

    def __contains__(self, _word):
        return True


class Anywhere:
    """A pattern that fits every text."""

    def search(self, _text):
        return True


def read_without_shortcuts(raw):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(traced, "sketch", Everything)
        patch.setattr(class_evidence, "RARE", Anywhere())
        patch.setattr(classify, "_remembered", classify._classify)
        patch.setattr(diskinfo, "read_whole", lambda _block: None)
        return parse_paste(raw, unit_key=b"key")


def differs(raw):
    return parse_paste(raw, unit_key=b"key") != read_without_shortcuts(raw)


@any_time
@given(before=st.text(), word=st.text(), after=st.text())
def test_a_sketch_holds_the_sketch_of_every_part_of_the_text(before, word, after):
    assert sketch(word) in sketch(before + word + after)


def test_a_word_that_is_not_in_the_sketch_is_not_in_the_text():
    text = sketch("Device Model:     EXAMPLE\n")
    assert may_hold(text, sketches("Vendor:", "Model:"))
    assert not may_hold(text, sketches("Vendor:", "Product:"))


def test_a_word_of_common_characters_is_refused():
    with pytest.raises(ValueError, match="common"):
        sketches("smartctl", "ten 10")


@pytest.mark.parametrize("way", WAYS)
def test_shortcuts_change_nothing_about_the_samples(way):
    texts = [path.read_bytes().decode("utf-8", "replace") for path in SAMPLES]
    texts += [identified(template) for template in ALL.values()]
    assert [text[:80] for text in texts if differs(WAYS[way](text))] == []


@any_time
@given(raw=pasted)
def test_shortcuts_change_nothing_about_any_text(raw):
    assert not differs(raw)


NAMES = [
    "RAID", "MRAID", "SmartRAID", "MR9361-8i", "PERC", "Volume0", "Array", "ASR8", "LOGICAL", "DVD", "CD-ROM",
    "BD-RE", "Enclosure", "Expander", "SES", "Tape", "VSC7", "PMEM", "nvdimm", "ZeusRAM", "RADIAN", "RMS-200",
    "Flashtec", "INTEL", "SSDPED1D", "SSDPE21K", "SSDPF21", "MEMPEK", "MDTPE", "HBRPEKNX0O", "P4800X", "P1600X",
    "Optane", "EO000375KWJUC", "EXAMPLE", "4", "GB", "HGST", "STEC", "region",
]  # fmt: skip
names = st.lists(st.sampled_from(NAMES) | st.text(max_size=4), max_size=4).flatmap(
    lambda words: st.sampled_from([" ", "", "-"]).map(lambda blank: blank.join(words))
)


@any_time
@given(model=names, vendor=st.none() | names)
def test_names_that_are_not_rare_fit_no_rare_pattern(model, vendor):
    evidence = classify.ClassEvidence(model=model, vendor=vendor)
    patterns = [
        getattr(class_patterns, name)
        for name in ("RAID", "OPTICAL", "ENCLOSURE", "NVDIMM", "NVRAM", "OPTANE")
    ]
    fits = any(pattern.search(name) for pattern in patterns for name in (*evidence.names, evidence.full_name))
    assert evidence.may_be_rare or not fits
