from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from results.data_version import stored_version
from results.ingest import survey
from results.ingest.states import erase_submission
from results.ingest.survey import SurveyError, load_survey, read_survey
from results.models import Result, Submission

HEADER = "survey_id,model_name,vendor,capacity_bytes,device_class,platform,method,source_url,block_size,latency_us\n"
LINE = "x1,SAMPLE,Aldera,480000000000,nvme,Linux,fio,https://forum.example/1,4096,158.7\n"


def load():
    said = StringIO()
    call_command("load_survey", stdout=said)
    return said.getvalue().strip()


@pytest.fixture
def survey_file(tmp_path):
    """Writes a survey of these lines."""

    def write(*lines):
        path = tmp_path / "survey.csv"
        path.write_text(HEADER + "".join(lines))
        return path

    return write


@pytest.mark.django_db
def test_the_survey_that_ships_is_loaded_once():
    count = len(read_survey())
    assert load() == f"{count} results loaded, 0 were there already"
    version, rows = stored_version(), list(Result.objects.order_by("pk").values())
    assert load() == f"0 results loaded, {count} were there already"
    assert (stored_version(), list(Result.objects.order_by("pk").values())) == (version, rows)


@pytest.mark.django_db
def test_every_figure_that_ships_has_a_source():
    load()
    assert not Submission.objects.exclude(source_url__startswith="https://").exists()
    assert not Submission.objects.exclude(text="").exists()
    assert set(Result.objects.values_list("method", flat=True)) == {"diskinfo", "fio"}
    assert not Result.objects.exclude(measured_on=None).exists()


@pytest.mark.django_db
def test_a_figure_that_was_corrected_replaces_the_old_one(survey_file):
    load_survey(read_survey(survey_file(LINE)))
    loaded = load_survey(read_survey(survey_file(LINE.replace("158.7", "187.5"))))
    assert (loaded.added, loaded.unchanged) == (1, 0)
    assert Result.objects.get().latency_us[3] == 187.5


@pytest.mark.django_db
def test_lines_of_one_id_are_one_curve(survey_file):
    (one,) = read_survey(survey_file(LINE, LINE.replace("4096,158.7", "8192,200")))
    assert one.run.curve[3:5] == (Decimal("158.7"), Decimal(200))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("480000000000", "480 GB"),
        ("nvme", "floppy"),
        ("fio", "dd"),
        ("https://forum.example/1", "http://forum.example/1"),
        ("4096", "4k"),
        ("158.7", "fast"),
    ],
)
def test_a_line_that_makes_no_sense_is_named(survey_file, field, value):
    path = survey_file(LINE.replace("x1", "x0"), LINE.replace(field, value))
    with pytest.raises(SurveyError, match=r"survey\.csv, result x1 at line 3"):
        read_survey(path)


@pytest.mark.django_db
def test_the_command_says_what_is_wrong_with_the_file(survey_file, monkeypatch):
    path = survey_file(LINE.replace("nvme", "floppy"))
    monkeypatch.setattr(survey.read_survey, "__defaults__", (path,))
    with pytest.raises(CommandError, match="result x1 at line 2"):
        load()
    assert not Result.objects.exists()


@pytest.mark.django_db
def test_a_figure_that_was_erased_stays_erased(survey_file):
    published = read_survey(survey_file(LINE, LINE.replace("x1", "x2")))
    load_survey(published)
    erase_submission(Submission.objects.get(survey_id="x1"), reason="a typing error in its source")
    loaded = load_survey(published)
    assert (loaded.added, loaded.unchanged, Result.objects.count()) == (0, 2, 1)
