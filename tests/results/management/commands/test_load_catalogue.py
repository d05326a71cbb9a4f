"""`manage.py load_catalogue` says what it did, or what is wrong with the file."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from results.catalogue.claims import rated_random_write_latency_us
from results.catalogue.files.statements_csv import FACT_KINDS, LIFE_CYCLES
from results.models import Product, Result
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.commands import printed_by
from tests.results.catalogue.catalogue_cells import write_catalogue, write_facts

pytestmark = pytest.mark.django_db
FAST = pastes.diskinfo(
    [20.0] * 4 + [100.0 * 2**slot for slot in range(11)],
    description="ATA ALDERA S1-480G",
    media_size=480 * 10**9,
)


def load(path):
    return printed_by("load_catalogue", "--file", str(path))


def test_the_command_counts_added_changed_and_unchanged_products(tmp_path):
    path = tmp_path / "lines.csv"
    assert load(write_catalogue(path, [{}])).startswith("products added: 1, changed: 0, unchanged: 0")
    assert load(path).startswith("products added: 0, changed: 0, unchanged: 1")
    assert load(write_catalogue(path, [{"media": "MLC"}])).startswith(
        "changed: aldera-s1\nproducts added: 0, changed: 1"
    )
    other = {"slug": "b", "model_patterns": "^B", "example_model": ""}
    assert load(write_catalogue(path, [other])).startswith(
        "no longer in the file: aldera-s1\nproducts added: 1"
    )
    assert Product.objects.count() == 2


def test_aliases_and_facts_in_the_same_folder_are_loaded(tmp_path):
    path = write_catalogue(tmp_path / "lines.csv", [{}])
    aliases = tmp_path / "aliases.csv"
    aliases.write_text("slug,alias,kind,source_url\naldera-s1,Aldera One,marketing,\n")
    for kind in FACT_KINDS:
        write_facts(tmp_path, kind, {"successor": ""} if kind is LIFE_CYCLES else {})
    assert (
        "changed names: 1, changed claims: 1, changed prices: 1, changed life cycles: 1, changed caveats: 1;"
    ) in load(path)
    product = Product.objects.get()
    assert product.aliases == ["Aldera One"]
    assert rated_random_write_latency_us(product, 480 * 10**9) == 52.5
    assert [product.prices.get().seen_on, product.life_cycle.get().launched_on] == ["2024-05-14", "2018-03"]
    assert product.caveats.get().summary == "Hangs after 5184 hours."
    assert (
        "changed names: 0, changed claims: 0, changed prices: 0, changed life cycles: 0, changed caveats: 0;"
    ) in load(path)
    aliases.write_text("slug,alias,kind,source_url\nnobody,One,marketing,\n")
    with pytest.raises(CommandError, match=r"^aliases\.csv, line 2: slug"):
        load(path)


def test_an_error_changes_nothing(tmp_path):
    other = {"slug": "b", "model_patterns": "^B", "example_model": "B1"}
    path = write_catalogue(tmp_path / "lines.csv", [other, {"segment": "hobby"}])
    with pytest.raises(CommandError, match=r"^lines\.csv, line 3: "):
        load(path)
    assert Product.objects.count() == 0


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(CommandError, match="nowhere"):
        load(tmp_path / "nowhere.csv")


def test_results_are_judged_again_after_a_catalogue_change(tmp_path):
    """20 µs is too fast for flash without protection, and not for flash with it."""
    path = tmp_path / "lines.csv"
    load(write_catalogue(path, [{"plp": "unknown", "plp_statements": ""}]))
    receive_submission(FAST, Sender())
    assert not Result.objects.get().is_ranked
    assert load(write_catalogue(path, [{}])).endswith("texts judged again: 1\n")
    result = Result.objects.get()
    assert (result.is_ranked, result.flags) == (True, [])
    assert load(path).endswith("texts judged again: 0\n")


def test_reread_finds_texts_that_were_not_judged_again(tmp_path, monkeypatch):
    path = tmp_path / "lines.csv"
    load(write_catalogue(path, [{"plp": "unknown", "plp_statements": ""}]))
    receive_submission(FAST, Sender())
    monkeypatch.setattr("results.management.commands.load_catalogue.judge_devices", lambda _: 0)  # stopped
    load(write_catalogue(path, [{}]))
    assert not Result.objects.get().is_ranked
    call_command("reread", stdout=StringIO())
    assert Result.objects.get().is_ranked
