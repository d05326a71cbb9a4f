import re

import pytest

from results.kinds.answers import clean_answers
from results.kinds.pool.questions import QUESTIONS, stated_layout
from results.kinds.pool_io.timings import TimingError, read_timing
from tests.factories import make_device, make_result

CLEAN = {question.key: question.cleaned for question in QUESTIONS}


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
def test_a_log_device_is_found_by_its_name_if_only_one_has_it(django_assert_num_queries):
    for slug, name in (("alpha", "SAMPLE ALPHA"), ("beta", "SAMPLE BETA")):
        make_result(device=make_device(slug=slug, model_name=name))
    names = ("sample alpha", "beta", "sample", "gamma", "a b")
    given = {f"line-{at}": {"log_device": name} for at, name in enumerate(names, start=1)}
    with django_assert_num_queries(1):
        answers, faults = clean_answers(given, QUESTIONS)
    stored = {name: answer["log_device"] for name, answer in answers.items() if answer}
    assert stored == {"line-1": "alpha", "line-2": "beta"}
    several, unknown, short = (faults[f"line-{at}", "log_device"] for at in (3, 4, 5))
    assert re.match(r"Several devices match. Enter one of: alpha .*; beta ", several)
    assert "Nobody has measured" in unknown
    assert short == "Enter at least 3 letters of a word of its name."


@pytest.mark.django_db
def test_names_of_devices_are_looked_up_in_one_query(django_assert_num_queries):
    """Also a hundred of them, with as many words as fit."""
    make_result(device=make_device(slug="x1", model_name="SAMPLE X1"))
    given = {f"line-{at}": {"log_device": f"{'abc ' * 9}{at}"} for at in range(1, 100)}
    with django_assert_num_queries(1):
        answers, faults = clean_answers({**given, "all": {"log_device": "X1"}}, QUESTIONS)
    assert ({name: answer for name, answer in answers.items() if answer}, len(faults)) == (
        {"all": {"log_device": "x1"}},
        99,
    )
    with django_assert_num_queries(1):
        _, faults = clean_answers({"all": {"log_device": " ".join("abcdefghijk")}}, QUESTIONS)
    assert "Nobody has measured" in faults["all", "log_device"]


def test_a_layout_with_too_few_drives_is_not_stored():
    assert stated_layout({"vdev_type": "raidz3", "vdev_members": "3"}) == ()
    assert stated_layout({"vdev_count": "2"}) == ()
    assert (
        stated_layout({"vdev_type": "disk", "vdev_count": "2"})
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
