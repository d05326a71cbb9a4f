from pathlib import Path

import brotli
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from django.core.files.storage.memory import InMemoryStorage

from slogdb.storage import BEST, LARGE_BYTES, QUICK, MergedStyles, StaticCompressor, merge_style

SHEETS = {
    "css/page.css": '/* About. */\n\n@import url("a.css");\n@import url("b.css");\n\n.own {\n  color: red;\n}\n',
    "css/a.css": "/* A. */\n.a {\n  margin: 0;\n}\n",
    "css/b.css": '@import url("c.css");\n.b {}\n',
    "css/c.css": '.c::after {\n  content: "c";\n}\n',
}
MERGED = '.a {\nmargin: 0;\n}\n.c::after {\ncontent: "c";\n}\n.b {}\n.own {\ncolor: red;\n}\n'
STATIC = Path(__file__).parents[2] / "static"


def test_css_imports_are_inlined():
    assert merge_style("css/page.css", SHEETS.__getitem__) == MERGED


def test_a_merged_sheet_is_what_is_hashed_and_compressed():
    folder = InMemoryStorage()
    for name, text in SHEETS.items():
        folder.save(name, ContentFile(text))
    assert MergedStyles(folder).open("css/page.css").read().decode() == MERGED


def test_every_sheet_of_the_site_can_be_merged(subtests):
    for sheet in sorted((STATIC / "css").glob("*.css")):
        with subtests.test(sheet.name):
            merged = MergedStyles(FileSystemStorage(STATIC)).open(f"css/{sheet.name}").read().decode()
            assert "@import" not in merged
            assert merged.count("{") == merged.count("}")


@pytest.mark.parametrize(("size", "quality"), [(LARGE_BYTES - 1, BEST), (LARGE_BYTES, QUICK)])
def test_only_large_files_are_compressed_quickly(size, quality):
    data = (b"a line of text\n" * size)[:size]
    assert StaticCompressor.compress_brotli(data) == brotli.compress(data, quality=quality)
