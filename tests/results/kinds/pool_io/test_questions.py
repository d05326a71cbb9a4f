import pytest

from results.kinds.pool_io.questions import QUESTIONS, told_layout
from results.kinds.pool_io.timings import TimingError, read_timing
from results.kinds.told import clean_answers
from tests.factories import make_device, make_result

CLEAN = {one.key: one.cleaned for one in QUESTIONS}


def test_answers_are_stored_in_one_form(subtests):
    for key, answer, stored in [
        ("vdev_count", " 03 ", "3"),
        ("zfs_version", "zfs-2.2.4", "2.2.4"),
        ("sync", "always", "always"),
        ("recordsize", "131072", "131072"),
        ("log_device", "", ""),
    ]:
        with subtests.test(key=key):
            assert CLEAN[key](answer) == stored


def test_other_answers_are_refused(subtests):
    for key, answer in [
        ("vdev_count", "0"),
        ("vdev_count", "1.5"),
        ("sync", "never"),
        ("zfs_version", "newest"),
        ("arc_gib", "-1"),
    ]:
        with subtests.test(key=key, answer=answer), pytest.raises(ValueError, match=r"Enter|None of"):
            CLEAN[key](answer)


def test_unknown_questions_are_refused_by_name():
    answers, faults = clean_answers({"all": {"sync": "always", "colour": "red"}}, QUESTIONS)
    assert (answers, list(faults)) == ({"all": {"sync": "always"}}, [("all", "colour")])


@pytest.mark.django_db
def test_a_log_device_is_found_by_its_name_if_only_one_has_it():
    for slug, name in (("alpha", "SAMPLE ALPHA"), ("beta", "SAMPLE BETA")):
        make_result(device=make_device(slug=slug, model_name=name))
    assert (CLEAN["log_device"]("sample alpha"), CLEAN["log_device"]("beta")) == ("alpha", "beta")
    with pytest.raises(ValueError, match=r"Several devices match. Enter one of: alpha .*; beta "):
        CLEAN["log_device"]("sample")
    with pytest.raises(ValueError, match="Nobody has measured"):
        CLEAN["log_device"]("gamma")


def test_a_layout_with_too_few_drives_is_not_stored():
    assert told_layout({"vdev_type": "raidz3", "vdev_members": "3"}) == ()
    assert told_layout({"vdev_count": "2"}) == ()
    assert (
        told_layout({"vdev_type": "disk", "vdev_count": "2"})
        == ({"role": "data", "type": "disk", "members": 1},) * 2
    )


def test_timings_are_read(subtests):
    for line, work, seconds in [
        ("Windows installation took 5:31", "Windows installation", 331),
        ("installation took 1:05:31", "installation", 3931),
        ("boot: 80 s", "boot", 80),
        ("copy of 10 GB = 1 min 20,5 s", "copy of 10 GB", 80.5),
        ("scrub took 2 hours", "scrub", 7200),
    ]:
        with subtests.test(line=line):
            assert (read_timing(line, 1).work, read_timing(line, 1).seconds) == (work, seconds)


def test_lines_that_are_no_timing_say_which(subtests):
    for line in ["took 5:31", "boot", "boot took 0:00", "boot took 10 years", "boot took 999 hours"]:
        with subtests.test(line=line), pytest.raises(TimingError, match=r"^Timing 7: "):
            read_timing(line, 7)
