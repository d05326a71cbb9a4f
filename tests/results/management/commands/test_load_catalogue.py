"""`manage.py load_catalogue` says what it did, or what is wrong with the file."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from results.models import Product
from tests.results.catalogue.cells import write_catalogue

pytestmark = pytest.mark.django_db


def load(path):
    told = StringIO()
    call_command("load_catalogue", "--file", str(path), stdout=told)
    return told.getvalue()


def test_it_tells_what_was_added_changed_and_left(tmp_path):
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


@pytest.mark.parametrize("fault", [{"segment": "hobby"}, {"model_patterns": "^("}, {"sources": ""}])
def test_a_fault_leaves_everything_as_it_was(tmp_path, fault):
    other = {"slug": "b", "model_patterns": "^B", "example_model": "B1"}
    path = write_catalogue(tmp_path / "lines.csv", [other, fault])
    with pytest.raises(CommandError, match=r"^lines\.csv, line 3: "):
        load(path)
    assert Product.objects.count() == 0


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match="nowhere"):
        load(tmp_path / "nowhere.csv")
