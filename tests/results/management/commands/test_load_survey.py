from dataclasses import replace

import pytest
from django.core.management.base import CommandError

from results.catalogue.matching.rematch import rematch_devices
from results.core.data_version import stored_version
from results.core.lines import CatalogueError
from results.kinds.latency_curve.shipped import CURVE_FILE, CurveLine
from results.kinds.registry import KINDS
from results.kinds.shipped import read_published
from results.models import Device, Erasure, Result, Submission
from results.models.choices import SubjectKind
from results.ranking.standing import main_rows
from results.submissions.edit import erase_submission
from results.submissions.intake.rejudge import judge_devices
from results.submissions.intake.shipped import load_survey, read_shipped
from results.submissions.intake.shipped_pairs import read_pairs
from tests.commands import printed_by
from tests.factories import make_product

pytestmark = pytest.mark.django_db

HEADER = CURVE_FILE.read_text(encoding="utf-8").splitlines(keepends=True)[0]
CELLS = "x1,SAMPLE,Aldera,480000000000,,nvme,Linux,fio,https://forum.example/1,,2019-01-18,b,,,1"
LINE = f"{CELLS},4096,6301 IOPS,158.7,,,,,\n"
SECOND = LINE.replace("x1", "x2").replace("SAMPLE", "OTHER")


def read_curves(path):
    return read_published(path, CurveLine)


def ship(path, monkeypatch):
    """Let the project ship this file of curves."""
    curves = replace(KINDS["latency_curve"], shipped=(path, CurveLine))
    monkeypatch.setitem(KINDS, curves.key, curves)


def load():
    return printed_by("load_survey").strip()


@pytest.fixture
def survey_file(tmp_path):
    """Writes a survey of these lines."""

    def write(*lines):
        path = tmp_path / "latency_curve.csv"
        path.write_text(HEADER + "".join(lines))
        return path

    return write


def test_the_survey_that_ships_is_loaded_once():
    counts = {
        "results": read_shipped(),
        "sources of pools": read_shipped(SubjectKind.POOL),
        "pairs": read_pairs(),
    }
    lines = [(len(listed), what) for what, listed in counts.items()]
    assert load() == "\n".join(f"{n} {what} loaded, 0 already loaded, 0 removed" for n, what in lines)
    version, rows = stored_version(), list(Result.objects.order_by("pk").values())
    assert load() == "\n".join(f"0 {what} loaded, {n} already loaded, 0 removed" for n, what in lines)
    assert (stored_version(), list(Result.objects.order_by("pk").values())) == (version, rows)


def test_an_invalid_line_is_named(survey_file, subtests):
    for field, value in [
        ("480000000000", "480 GB"),
        ("nvme", "floppy"),
        ("fio", "dd"),
        ("https://forum.example/1", "http://forum.example/1"),
        ("4096", "4k"),
        ("158.7", "fast"),
        (",b,", ",,"),
        (",b,", ",d,"),
        (",4096", ""),
        ("SAMPLE", ""),
        ("SAMPLE", "unnamed SSD"),
        ("nvme", "unknown"),
        ("158.7,,", "158.7,,1"),
        ("158.7,,", "158.7,,many"),
        ("158.7,,,", "158.7,,,maybe"),
        ("158.7,", "158.7,osync"),
    ]:
        with subtests.test(field=field, value=value):
            path = survey_file(LINE.replace("x1", "x0"), LINE.replace(field, value))
            with pytest.raises(CatalogueError, match=r"latency_curve\.csv, (result x1 at )?line 3"):
                read_curves(path)


def test_lines_of_one_result_must_agree(survey_file):
    path = survey_file(LINE, LINE.replace("4096", "8192").replace(",b,", ",a,"))
    with pytest.raises(CatalogueError, match="result x1 at line 2: its lines differ"):
        read_curves(path)


def test_lines_of_one_result_must_be_consecutive(survey_file):
    with pytest.raises(CatalogueError, match="result x1: its lines are not consecutive"):
        read_curves(survey_file(LINE, SECOND, LINE))


def test_a_file_with_other_columns_is_refused(tmp_path):
    path = tmp_path / "latency_curve.csv"
    path.write_text("survey_id,model_name\n")
    with pytest.raises(CatalogueError, match=r"latency_curve\.csv, line 1: the columns are not survey_id, "):
        read_curves(path)


def test_the_command_reports_errors_in_the_file(survey_file, monkeypatch):
    path = survey_file(LINE.replace("nvme", "floppy"))
    ship(path, monkeypatch)
    with pytest.raises(CommandError, match="line 2: device_class"):
        load()
    assert not Result.objects.exists()


def test_a_figure_that_was_erased_stays_erased(survey_file):
    published = read_curves(survey_file(LINE, SECOND))
    load_survey(published)
    erase_submission(Submission.objects.get(survey_id="x1"), reason="a typing error in its source")
    loaded = load_survey(published)
    assert (loaded.added, loaded.unchanged, Result.objects.count()) == (0, 2, 1)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (",b,", ",c,"),
        ("forum.example/1", "forum.example/2"),
        ("158.7", "187.5"),
        ("6301 IOPS", "5333 IOPS"),
        ("2019-01-18", "2019-01-19"),
        (",,2019-01-18", ",2018-12-31,2019-01-18"),
        (",b,,,1,", ",b,,Rounded.,1,"),
        (",b,,,1,", ",b,,,2,"),
        ("158.7,", "158.7,fsync"),
        ("158.7,,", "158.7,,5"),
        ("158.7,,,", "158.7,,,no"),
        ("158.7,,,,", "158.7,,,,/dev/sda1"),
        ("158.7,,,,,", "158.7,,,,,x0"),
    ],
)
def test_what_changed_in_the_file_changes_in_the_database(survey_file, field, value):
    load_survey(read_curves(survey_file(LINE)))
    changed = read_curves(survey_file(LINE.replace(field, value)))
    assert load_survey(changed).added == 1
    assert load_survey(changed).added == 0
    stored = Result.objects.select_related("submission").get()
    columns = {name: getattr(stored.submission, name) for name in changed[0].columns}
    assert columns == changed[0].columns
    assert stored.measured_on == changed[0].runs[0].measured_on
    assert stored.latency_us[3] == float(changed[0].runs[0].curve[3])


def test_a_figure_removed_from_the_file_is_removed_from_the_site(client, survey_file):
    load_survey(read_curves(survey_file(LINE, SECOND)))
    gone, stays = Submission.objects.order_by("survey_id")
    device = gone.results.get().device
    assert client.get(device.get_absolute_url()).status_code == 200
    loaded = load_survey(read_curves(survey_file(SECOND)))
    assert (loaded.added, loaded.unchanged, loaded.removed) == (0, 1, 1)
    assert client.get(gone.get_absolute_url()).status_code == 410
    assert client.get(device.get_absolute_url()).status_code == 404
    assert client.get(stays.get_absolute_url()).status_code == 200
    assert [row["device"] for row in client.get("/api/v1/results/").json()["results"]] == ["other-480-gb"]
    assert not main_rows().filter(device=device).exists()
    version = stored_version()
    assert load_survey(read_curves(survey_file(SECOND))).removed == 0
    assert stored_version() == version


def test_a_figure_that_comes_back_to_the_file_is_loaded_again_at_its_address(client, survey_file):
    """As after a roll back: an earlier release ships other figures."""
    load_survey(read_curves(survey_file(LINE, SECOND)))
    ids = dict(Submission.objects.values_list("survey_id", "public_id"))
    devices = set(Device.objects.values_list("slug", flat=True))
    load_survey(read_curves(survey_file(SECOND)))
    assert client.get(f"/results/{ids['x1']}/").status_code == 410
    assert not Erasure.objects.exists()  # a restore would erase it again
    assert load_survey(read_curves(survey_file(LINE, SECOND))).added == 1
    assert dict(Submission.objects.values_list("survey_id", "public_id")) == ids
    assert set(Device.objects.values_list("slug", flat=True)) == devices
    assert "6301 IOPS" in client.get(f"/results/{ids['x1']}/").text
    assert Submission.objects.get(survey_id="x1").state_reason == ""


def test_figures_of_an_earlier_release_stay_where_they_are(survey_file):
    """1.0.0 drew their addresses."""
    load_survey(read_curves(survey_file(LINE)))
    Submission.objects.update(public_id="bcdfghjkmn")
    load_survey(read_curves(survey_file(LINE.replace("158.7", "187.5"))))
    assert [entry.public_id for entry in Submission.objects.all()] == ["bcdfghjkmn"]
    erase_submission(Submission.objects.get(), reason="a typing error in its source")
    load_survey(read_curves(survey_file(SECOND)))
    assert set(Erasure.objects.values_list("line", flat=True)) == {
        "bcdfghjkmn"
    }  # for a reason: it stays erased


def test_published_results_are_judged_again_after_a_catalogue_change(survey_file, monkeypatch):
    """20 µs is too fast for flash without protection, and not for flash with it."""
    path = survey_file(LINE.replace("158.7", "20"))
    ship(path, monkeypatch)
    load_survey(read_curves(path))
    product = make_product(name="Sample", patterns=[])
    assert not Result.objects.get().is_ranked
    rematch_devices()
    product.plp, product.plp_statements = "yes", [{"value": "yes"}]
    product.save()
    judge_devices([Device.objects.get(product=product).pk])
    result = Result.objects.get()
    assert (result.is_ranked, result.flags) == (True, [])


def test_a_published_result_states_the_quality_of_its_source(client, survey_file):
    load_survey(read_curves(survey_file(LINE)))
    result = Result.objects.get()
    assert (
        "The source says 6301 IOPS at 4 KiB; the latency here is computed from that and may be 1&nbsp;% off. "
        "Type of source: table."
    ) in client.get(result.get_absolute_url()).text
    record = client.get(f"/api/v1/results/{result.public_id}/").json()
    assert {name: record[name] for name in ("quality", "figure", "precision_percent", "origin")} == {
        "quality": "b",
        "figure": "6301 IOPS at 4 KiB",
        "precision_percent": 1,
        "origin": "published_elsewhere",
    }
    dates = {name: record[name] for name in ("measured_on", "posted_on", "submitted_at")}
    assert dates == {"measured_on": None, "posted_on": "2019-01-18", "submitted_at": None}


def test_lines_of_one_id_are_one_curve_which_states_no_single_figure(client, survey_file):
    load_survey(read_curves(survey_file(LINE, LINE.replace("4096,6301 IOPS,158.7", "8192,5000 IOPS,200"))))
    result = Result.objects.get()
    assert result.latency_us[3:5] == [158.7, 200]
    page = client.get(result.get_absolute_url()).text
    assert "Type of source: table." in page
    assert "The source says" not in page
    assert client.get(f"/api/v1/results/{result.public_id}/").json()["figure"] == ""
