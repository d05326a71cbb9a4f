from datetime import date
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from results.catalogue.files.products_csv import CatalogueError
from results.catalogue.matching.rematch import rematch_devices
from results.compare.pairs import find_pair
from results.core.data_version import stored_version
from results.models import Device, Result, Submission
from results.ranking.standing import main_rows
from results.submissions.edit import erase_submission
from results.submissions.intake import survey_data as survey
from results.submissions.intake.pool_data import read_pairs, read_pools
from results.submissions.intake.rejudge import judge_devices
from results.submissions.intake.survey_data import load_survey, read_shipped, read_survey
from tests.factories import make_product

HEADER = f"{','.join(survey.COLUMNS)}\n"
CELLS = "x1,SAMPLE,Aldera,480000000000,,nvme,Linux,fio,https://forum.example/1,,2019-01-18,b,,,1"
LINE = f"{CELLS},4096,6301 IOPS,158.7,,,,,,,,,\n"
SECOND = LINE.replace("x1", "x2").replace("SAMPLE", "OTHER")


THROUGH_FILE_SYSTEMS = (*range(1, 7), 8, 9, 80, *range(82, 88), 89, 90, 107, 108, 111, 113, 114)


def load():
    printed = StringIO()
    call_command("load_survey", stdout=printed)
    return printed.getvalue().strip()


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
    counts = {"results": read_shipped(), "sources of pools": read_pools(), "pairs": read_pairs()}
    lines = [(len(listed), what) for what, listed in counts.items()]
    assert load() == "\n".join(f"{n} {what} loaded, 0 already loaded, 0 removed" for n, what in lines)
    version, rows = stored_version(), list(Result.objects.order_by("pk").values())
    assert load() == "\n".join(f"0 {what} loaded, {n} already loaded, 0 removed" for n, what in lines)
    assert (stored_version(), list(Result.objects.order_by("pk").values())) == (version, rows)


@pytest.mark.django_db
def test_every_figure_that_ships_has_a_source():
    load()
    assert not Submission.objects.exclude(source_url__startswith="https://").exists()
    assert not Submission.objects.exclude(text="").exists()
    assert not Submission.objects.filter(quality="").exists()
    assert set(Result.objects.values_list("method", flat=True)) == {
        "dd",
        "diskinfo",
        "fio",
        "fio_file",
        "fio_pool",
        "fsync_script",
        "ioping",
        "other_on_pool",
        "pg_test_fsync",
        "sustained_figure",
        "timing",
    }
    assert not Submission.objects.filter(posted_on__gt=date(2026, 9, 20)).exists()
    dated = Result.objects.exclude(measured_on=None).filter(pool=None)
    assert dict(dated.values_list("submission__survey_id", "measured_on")) == {
        "f110": date(2024, 6, 26),
        "f210": date(2021, 5, 12),
        "f212": date(2021, 4, 12),
        "f210-5": date(2021, 5, 12),
        "f212-5": date(2021, 4, 12),
        "f212-10": date(2021, 4, 12),
        "f107": date(2023, 7, 19),
        "f108": date(2023, 7, 19),
        "f111": date(2023, 7, 4),
        "f113": date(2023, 6, 25),
        "f114": date(2023, 6, 25),
        "n001": date(2022, 5, 23),
        "n030": date(2026, 4, 29),
        **dict.fromkeys(("n041", "n042", "n043", "n044", "n045"), date(2026, 9, 20)),
        **dict.fromkeys(("n049", "n049-vm"), date(2026, 7, 14)),
    }
    curves = Submission.objects.filter(figure="", results__method__in=["diskinfo", "fio"])
    assert set(curves.values_list("survey_id", flat=True)) == {"d001", "d002", "d003", "n001"}


@pytest.mark.django_db
def test_a_figure_that_was_corrected_replaces_the_old_one(survey_file):
    load_survey(read_survey(survey_file(LINE)))
    loaded = load_survey(read_survey(survey_file(LINE.replace("158.7", "187.5"))))
    assert (loaded.added, loaded.unchanged) == (1, 0)
    assert Result.objects.get().latency_us[3] == 187.5


@pytest.mark.django_db
def test_lines_of_one_id_are_one_curve(survey_file):
    (one,) = read_survey(survey_file(LINE, LINE.replace("4096,6301 IOPS,158.7", "8192,5000 IOPS,200")))
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
        (",b,", ",,"),
        (",b,", ",d,"),
        (",4096", ""),
        ("SAMPLE", ""),
        ("SAMPLE", "unnamed SSD"),
        ("nvme", "unknown"),
        ("158.7,,,,,,", "158.7,,,,,,1"),
        ("158.7,,,,,,", "158.7,,,,,,many"),
        ("158.7,,,,,,,", "158.7,,,,,,,maybe"),
        ("158.7,,,,", "158.7,,,osync,"),
    ],
)
def test_an_invalid_line_is_named(survey_file, field, value):
    path = survey_file(LINE.replace("x1", "x0"), LINE.replace(field, value))
    with pytest.raises(CatalogueError, match=r"survey\.csv, (result x1 at )?line 3"):
        read_survey(path)


def test_lines_of_one_result_must_agree(survey_file):
    path = survey_file(LINE, LINE.replace("4096", "8192").replace(",b,", ",a,"))
    with pytest.raises(CatalogueError, match="result x1 at line 2: its lines differ"):
        read_survey(path)


def test_lines_of_one_result_must_be_consecutive(survey_file):
    with pytest.raises(CatalogueError, match="result x1: its lines are not consecutive"):
        read_survey(survey_file(LINE, SECOND, LINE))


def test_a_file_with_other_columns_is_refused(tmp_path):
    path = tmp_path / "survey.csv"
    path.write_text("survey_id,model_name\n")
    with pytest.raises(CatalogueError, match=r"survey\.csv, line 1: the columns are not survey_id, "):
        read_survey(path)


@pytest.mark.django_db
def test_the_command_reports_errors_in_the_file(survey_file, monkeypatch):
    path = survey_file(LINE.replace("nvme", "floppy"))
    monkeypatch.setattr(survey.read_survey, "__defaults__", (path,))
    with pytest.raises(CommandError, match="result x1 at line 2"):
        load()
    assert not Result.objects.exists()


@pytest.mark.django_db
def test_a_figure_that_was_erased_stays_erased(survey_file):
    published = read_survey(survey_file(LINE, SECOND))
    load_survey(published)
    erase_submission(Submission.objects.get(survey_id="x1"), reason="a typing error in its source")
    loaded = load_survey(published)
    assert (loaded.added, loaded.unchanged, Result.objects.count()) == (0, 2, 1)


@pytest.mark.django_db
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
        ("158.7,,,,,,", "158.7,,,fsync,,,"),
        ("158.7,,,,,,", "158.7,,,,,,5"),
        ("158.7,,,,,,,", "158.7,,,,,,,off"),
        ("158.7,,,,,,,,", "158.7,,,,,,,,/dev/sda1"),
        ("158.7,,,,,,,,,", "158.7,,,,,,,,,x0"),
    ],
)
def test_what_changed_in_the_file_changes_in_the_database(survey_file, field, value):
    load_survey(read_survey(survey_file(LINE)))
    changed = read_survey(survey_file(LINE.replace(field, value)))
    assert load_survey(changed).added == 1
    assert load_survey(changed).added == 0
    stored = Result.objects.select_related("submission").get()
    assert stored.submission.quality == changed[0].quality
    assert stored.submission.source_url == changed[0].source_url
    of_submission = {name: getattr(stored.submission, name) for name in changed[0].of_submission}
    assert of_submission == changed[0].of_submission
    assert stored.measured_on == changed[0].run.measured_on
    assert stored.latency_us[3] == float(changed[0].run.curve[3])


@pytest.mark.django_db
def test_a_figure_removed_from_the_file_is_removed_from_the_site(client, survey_file):
    load_survey(read_survey(survey_file(LINE, SECOND)))
    gone, stays = Submission.objects.order_by("survey_id")
    device = gone.results.get().device
    assert client.get(device.get_absolute_url()).status_code == 200
    loaded = load_survey(read_survey(survey_file(SECOND)))
    assert (loaded.added, loaded.unchanged, loaded.removed) == (0, 1, 1)
    assert client.get(gone.get_absolute_url()).status_code == 410
    assert client.get(device.get_absolute_url()).status_code == 404
    assert client.get(stays.get_absolute_url()).status_code == 200
    assert [row["device"] for row in client.get("/api/v1/results/").json()["results"]] == ["other-480-gb"]
    assert not main_rows().filter(device=device).exists()
    version = stored_version()
    assert load_survey(read_survey(survey_file(SECOND))).removed == 0
    assert stored_version() == version


@pytest.mark.django_db
def test_a_figure_that_comes_back_to_the_file_is_loaded_again(survey_file):
    for lines in [(LINE, SECOND), (SECOND,), (LINE, SECOND)]:
        load_survey(read_survey(survey_file(*lines)))
    assert Result.objects.count() == 2


@pytest.mark.django_db
def test_published_results_are_judged_again_after_a_catalogue_change(survey_file, monkeypatch):
    """20 µs is too fast for flash without protection, and not for flash with it."""
    monkeypatch.setattr(survey.read_survey, "__defaults__", (survey_file(LINE.replace("158.7", "20")),))
    load_survey(read_survey())
    product = make_product(name="Sample", patterns=[])
    assert not Result.objects.get().is_ranked
    rematch_devices()
    product.plp, product.plp_statements = "yes", [{"value": "yes"}]
    product.save()
    judge_devices([Device.objects.get(product=product).pk])
    result = Result.objects.get()
    assert (result.is_ranked, result.flags) == (True, [])


@pytest.mark.django_db
def test_a_published_result_states_the_quality_of_its_source(client, survey_file):
    load_survey(read_survey(survey_file(LINE)))
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


@pytest.mark.django_db
def test_a_curve_that_was_published_states_no_single_figure(client, survey_file):
    load_survey(read_survey(survey_file(LINE, LINE.replace("4096,6301 IOPS,158.7", "8192,5000 IOPS,200"))))
    result = Result.objects.get()
    page = client.get(result.get_absolute_url()).text
    assert "Type of source: table." in page
    assert "The source says" not in page
    assert client.get(f"/api/v1/results/{result.public_id}/").json()["figure"] == ""


def test_every_doubted_figure_that_ships_was_measured_by_fio():
    published = read_survey()
    doubted = {one.survey_id for one in published if one.run.doubt and one.run.writers is None}
    assert doubted == {
        *("l002", "l004", "l005", "l008", "l035", "l036", "l038", "n030", "n033", "n034"),
        *("f013", "f110", "f127", "f163", "f164", "f166", "f175", "f183", "f254", "f255"),
    }
    assert {one.survey_id for one in published if one.run.method == "diskinfo"} == {"d001", "d002", "d003"}
    through_file_systems = {one.survey_id for one in published if one.run.method not in {"diskinfo", "fio"}}
    assert through_file_systems == {
        *(f"f{number:03}" for number in THROUGH_FILE_SYSTEMS),
        *("n003", "n003-on", "n041", "n042", "n043", "n044", "n045", "n049", "n049-vm"),
    }
    others = (*range(121, 127), 128, *range(130, 141), *range(141, 163), 165, *range(167, 175))
    others += (*range(176, 183), 184, 185, 210, 212)
    single = {one.survey_id for one in published if one.run.writers is None}
    assert single - doubted - through_file_systems == {
        *("d001", "d002", "d003", "n001"),
        *(f"f{number}" for number in others),
    }


@pytest.mark.django_db
def test_what_ships_of_several_writers_or_of_half_a_pair_is_not_ranked():
    published = {one.survey_id: one.run for one in read_survey()}
    loads = {survey_id: run for survey_id, run in published.items() if run.writers}
    assert len(loads) == 69
    for survey_id, run in loads.items():
        single = published[survey_id.rpartition("-")[0]]
        assert (run.identity, run.write_cache_enabled) == (single.identity, single.write_cache_enabled)
        assert run.doubt == single.doubt
        assert run.curve[3] * 4 > single.curve[3] / run.writers  # no writer overtakes all others
    load()
    stored = {one.submission.survey_id: one for one in Result.objects.select_related("submission")}
    flags = {name: {flag["code"] for flag in one.flags} for name, one in stored.items() if not one.is_ranked}
    assert all("several_writers" in flags[survey_id] for survey_id in loads)
    assert flags["f140"] == {"half_of_pair"}
    assert stored["f125"].is_ranked
    assert flags["n001"] == {"not_whole_device"}
    assert all("doubted_source" in flags[survey_id] for survey_id in ("n030", "n033", "n034"))


@pytest.mark.django_db
def test_both_halves_of_a_pair_link_to_their_comparison(client):
    load()
    for one, other in (("f125", "f140"), ("f125-16", "f140-16"), ("n003", "n003-on")):
        pages = [Result.objects.get(submission__survey_id=survey_id) for survey_id in (one, other)]
        for found, there in (pages, reversed(pages)):
            state = "on" if there.write_cache_enabled else "off"
            url = f"/compare/results/?a={found.public_id}&amp;b={there.public_id}"
            page = client.get(found.get_absolute_url()).text
            assert f'<a href="{url}">The same with the write cache {state}</a>' in page
        pair = find_pair(*(found.public_id for found in pages))
        assert [condition.key for condition in pair.differences] == ["write_cache"]
    device = client.get(pages[0].device.get_absolute_url()).text
    assert "to the device itself (ioping, write cache off, 1 result:" in device
    assert "to the device itself (ioping, write cache on, 1 result:" in device
    alone = Result.objects.get(submission__survey_id="f124")
    assert "The same with" not in client.get(alone.get_absolute_url()).text
