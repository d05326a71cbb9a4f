"""Which patterns are accepted, and which product a name matches."""

import re

import pytest

from results.catalogue.matching.match import PatternError, check_pattern, names_to_try
from results.catalogue.matching.patterns import LONGEST_NAME, Matcher


def test_anchored_pattern_is_accepted(subtests):
    for pattern in [
        r"^ALDERA S1$",
        r"^(?:ATA +)?ALDERA \w+(?:-\w+)?(?:\s.*)?$",
        r"^S(?!80)\d{4,5}[)+]*",
        r"^A\)+",
    ]:
        with subtests.test(pattern=pattern):
            assert check_pattern(pattern) == pattern


def test_broken_unanchored_or_unbounded_pattern_is_refused(subtests):
    for pattern, word in [
        ("^ALDERA (", "compile"),
        ("ALDERA", "begin"),
        ("^" + "A" * 600, "long"),
        (r"^(?:\w+)+$", "ever"),
        (r"^(?:A|AA)*$", "ever"),
        (r"^(?:A+){2,}$", "ever"),
        (r"^\w+\w+\w+\w+\w+$", "ever"),
        (r"^(?P<vendor>A) B", "group"),
        (r"^(A)B\1", "group"),
    ]:
        with subtests.test(pattern=pattern), pytest.raises(PatternError, match=word):
            check_pattern(pattern)


def test_worst_accepted_pattern_terminates():
    worst = re.compile(check_pattern(r"^\w*\w*\w*\w*!$"))
    assert worst.search("a" * LONGEST_NAME) is None


MATCHER = Matcher(
    [("s1", [r"^(?:ATA +)?ALDERA S1", r"^ATA +ALDERA-LONG-S1$"]), ("s2", [r"^ALDERA S[12]X"]), ("s3", [])]
)


def test_name_belongs_to_the_only_matching_product(subtests):
    for names, owner in [
        (["ALDERA S1-480G"], "s1"),
        (["ATA ALDERA S1-480G"], "s1"),
        ([" ALDERA S1-480G "], "s1"),
        (["ALDERA S2X"], "s2"),
        (["ALDERA S1X"], None),
        (["NOT ALDERA S1"], None),
        (["something", "ALDERA S2X"], "s2"),
        (["ALDERA S1X", "ALDERA S2X"], None),
        (["ALDERA S1" + "X" * 100], None),
        ([], None),
    ]:
        with subtests.test(names=names):
            assert MATCHER.find(names) == owner


def test_cut_name_is_tried_with_the_adapters_prefix():
    assert MATCHER.find(names_to_try("ALDERA-LONG-S1")) == "s1"
    assert MATCHER.find(names_to_try("ALDERA-LONG-S1 AND MORE")) is None


def test_a_scsi_name_is_tried_without_its_vendor():
    assert names_to_try("ALDERA PX0400-AND-LONGER", "ALDERA") == [
        "ALDERA PX0400-AND-LONGER",
        "PX0400-AND-LONGER",
    ]
