"""The results of pools that the project ships, and the pairs."""

import csv

import pytest

from results.core.data_version import stored_version
from results.core.lines import CatalogueError
from results.kinds.pool_io.shipped import POOL_FILE, PoolLine
from results.kinds.pool_sets import find_set
from results.kinds.shipped import read_published
from results.models import Device, Result, ResultPair, Submission
from results.models.choices import SubjectKind
from results.submissions.edit import erase_submission
from results.submissions.intake.shipped import load_pools, read_shipped
from results.submissions.intake.shipped_pairs import PAIR_FILE, load_pairs, read_pairs
from tests.factories import make_product

pytestmark = pytest.mark.django_db


SENTENCES = {
    "pool-raidz2": "Sequential 8 KiB writes: one of the runs is doubtful, so we don’t compare rates. 99 of 100 "
    "writes took at most 8,978 µs with no log device and 1,434 µs with log device Nextorage NVMe SSD 2 TB "
    "(partition).",
    "pool-samsung-980": "Random 4 KiB writes (sync=standard, each write synced), speedup from Samsung SSD 980 "
    "(partition, shared with an L2ARC): 2.1× at 1 thread, 2.2× at 4, 4.2× at 16 and 3× at 64.",
    "pool-14378": "Sequential 1 MiB writes (each write synced), speedup from the SLOG: 0.34× (slower) at 16 "
    "threads and 0.33× (slower) at 32.",
}


@pytest.fixture
def loaded():
    load_pools(read_shipped(SubjectKind.POOL))
    load_pairs(read_pairs())


def set_of(survey_id):
    return find_set(Submission.objects.get(survey_id=survey_id).public_id)


def test_loading_is_idempotent_and_removes_what_is_no_longer_in_the_file(loaded):
    pools, pairs = read_shipped(SubjectKind.POOL), read_pairs()
    ids = set(Submission.objects.values_list("public_id", flat=True))
    again = load_pools(pools)
    assert (again.added, again.unchanged, again.removed) == (0, len(pools), 0)
    assert load_pairs(pairs).added == 0
    assert load_pools(pools[1:]).removed == 1
    assert ResultPair.objects.count() < load_pairs(pairs).unchanged + 1  # that of the source is gone
    assert load_pools(pools).added == 1
    assert load_pairs(pairs).added == 1
    assert set(Submission.objects.values_list("public_id", flat=True)) == ids  # back at its address


def test_a_pair_that_is_no_longer_in_the_file_leaves_cached_pages(loaded):
    stored = set(ResultPair.objects.values_list("survey_id", flat=True))
    first, *rest = [pair for pair in read_pairs() if pair.survey_id in stored]
    version = stored_version()
    assert load_pairs(rest).removed == 1
    assert not ResultPair.objects.filter(survey_id=first.survey_id).exists()
    assert stored_version() > version


def test_an_erased_source_stays_erased(loaded):
    submission = Submission.objects.get(survey_id="pool-bui-install")
    erase_submission(submission, reason="asked to")
    load_pools(read_shipped(SubjectKind.POOL))
    assert not Result.objects.filter(submission=submission).exists()
    load_pairs(read_pairs())
    assert not ResultPair.objects.filter(survey_id="pair-bui-ubuntu").exists()


def test_the_story_reads_right(client, loaded):
    found = set_of("pool-bui-install")
    assert found.runs.sentences == [
        "Ubuntu 14.04.3 LTS Server installation (sync not stated), speedup from the SLOG: 1.7×.",
        "Windows 10 Enterprise LTSB installation (sync not stated), speedup from the SLOG: 1.3×.",
    ]
    firmware = ResultPair.objects.get(survey_id="pair-bui-p20")
    page = client.get(
        f"/compare/results/?a={firmware.before.public_id}&b={firmware.after.public_id}"
    ).content.decode()
    assert "HBA firmware P19 (LSI 2308) vs. P20 (LSI 2308)" in page
    assert "5.55" in page
    dd = Result.objects.get(submission__survey_id="pool-bui-dd", position=5)
    assert [flag["code"] for flag in dd.flags] == ["zeros_compressed", "not_synced"]
    for survey_id, sentence in SENTENCES.items():
        assert set_of(survey_id).runs.sentences[0] == sentence, survey_id
    raidz2 = Result.objects.filter(submission__survey_id="pool-raidz2").order_by("position")
    assert [[flag["code"] for flag in result.flags] for result in raidz2] == [
        ["doubted_source"],
        ["past_the_log"],
    ]
    doubted = Result.objects.get(submission__survey_id="pool-n048")
    assert [flag["code"] for flag in doubted.flags] == ["doubted_source"]


def test_a_log_device_leads_from_its_product_to_the_set(client):
    product = make_product(slug="pmem", patterns=["^NMA1XXD128GPS$"])
    load_pools(read_shipped(SubjectKind.POOL))
    device = Device.objects.get(model_name="NMA1XXD128GPS")
    assert device.product_id == product.pk
    public_id = Submission.objects.get(survey_id="pool-pmem").public_id
    assert f"/compare/sets/{public_id}/" in client.get("/products/pmem/").content.decode()
    assert "/compare/sets/" in client.get("/guide/do-i-need-one/").content.decode()


def test_a_wrong_line_is_refused_with_its_number(tmp_path, subtests):
    for column, value, message in [
        ("source_url", "http://a.example/", "https://"),
        ("quality", "z", "z"),
        ("method", "iozone", "is not one of"),
        ("figure", "", "figure"),
        ("writers", "many", "many"),
        ("direction", "sideways", "direction: 'sideways': Value 'sideways' is not a valid choice"),
        ("is_direct", "0", "is_direct: '0' is not one of yes, no"),
        ("pattern", None, "as many cells"),
    ]:
        with subtests.test(column=column):
            with POOL_FILE.open(encoding="utf-8", newline="") as lines:
                (head, row) = [cells for _, cells in zip(range(2), csv.reader(lines), strict=False)]
            at = head.index(column)
            row = row[:at] if value is None else [*row[:at], value, *row[at + 1 :]]
            path = tmp_path / "pools.csv"
            with path.open("w", newline="", encoding="utf-8") as out:
                csv.writer(out).writerows([head, row])
            with pytest.raises(CatalogueError, match=r"line 2") as raised:
                read_published(path, PoolLine)
            assert message in str(raised.value)


def test_a_pair_with_an_unknown_change_is_refused(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(PAIR_FILE.read_text(encoding="utf-8").replace("hba_firmware", "moon"), encoding="utf-8")
    with pytest.raises(CatalogueError, match="line 2: change: 'moon'"):
        read_pairs(path)
