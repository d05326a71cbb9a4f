"""The file of aliases."""

import pytest

from results.catalogue.files.aliases_csv import AliasLine, read_aliases, store_aliases
from results.core.lines import CatalogueError
from results.models import Product
from tests.factories import make_product

LINE = "aldera-s1,Aldera One,marketing,https://aldera.example/s1\n"


@pytest.fixture
def alias_file(tmp_path):
    """A function that writes a file of lines."""

    def write(*lines):
        path = tmp_path / "aliases.csv"
        path.write_text(",".join(AliasLine.columns()) + "\n" + "".join(lines), encoding="utf-8")
        return path

    return write


def alias(slug, name):
    return AliasLine(slug, name, "marketing", "")


def test_line_has_a_name_with_its_source(alias_file):
    lines = read_aliases(alias_file(LINE, "aldera-s1,AX1,oem,\n"), {"aldera-s1"})
    assert lines == [
        AliasLine("aldera-s1", "Aldera One", "marketing", "https://aldera.example/s1"),
        AliasLine("aldera-s1", "AX1", "oem", ""),
    ]


def test_error_names_its_line(alias_file, subtests):
    for line, message in [
        ("nobody,One,oem,\n", "slug: 'nobody' is not in the catalogue"),
        ("aldera-s1,,oem,\n", "alias: '' has no word"),
        ("aldera-s1,NVMe SSD,oem,\n", "alias: 'NVMe SSD' has no word"),
        ("aldera-s1, One,oem,\n", "alias: ' One' is too long"),
        (f"aldera-s1,{'A' * 121},oem,\n", "is too long"),
        ("aldera-s1,One,nickname,\n", "kind: 'nickname' is not one of"),
        ("aldera-s1,One,oem,nowhere\n", "'nowhere' is not the address of a page"),
        ("aldera-s1,aldera one,oem,\n", "alias: 'aldera one' is already on line 2"),
        ("aldera-s1,One\n", "there are not as many cells as columns"),
    ]:
        words = rf"^aliases\.csv, line 3: .*{message}"
        with subtests.test(line=line), pytest.raises(CatalogueError, match=words):
            read_aliases(alias_file(LINE, line), {"aldera-s1"})


@pytest.mark.django_db
def test_aliases_equal_those_of_the_file():
    make_product(slug="a")
    make_product(slug="b", aliases=["old"])
    assert store_aliases([alias("a", "One"), alias("a", "Two")]) == ["a", "b"]
    assert dict(Product.objects.values_list("slug", "aliases")) == {"a": ["One", "Two"], "b": []}
    assert store_aliases([alias("a", "One"), alias("a", "Two")]) == []
