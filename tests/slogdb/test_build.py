import pytest

from slogdb.build import build_id


@pytest.fixture
def build(settings, tmp_path):
    """A build of one template, and what its id is at the moment."""
    settings.BASE_DIR = tmp_path
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "page.html").write_text("one")
    return build_id.__wrapped__


def test_the_same_files_are_the_same_build(build):
    assert build() == build()
    assert len(build()) == 12


def test_another_content_is_another_build(build, tmp_path):
    before = build()
    (tmp_path / "templates" / "page.html").write_text("two")
    assert build() != before


def test_another_name_is_another_build(build, tmp_path):
    before = build()
    (tmp_path / "templates" / "page.html").rename(tmp_path / "templates" / "other.html")
    assert build() != before


@pytest.mark.parametrize(("name", "value"), [("SITE_URL", "https://slog.example"), ("IS_DEMO", True)])
def test_another_face_is_another_build(build, settings, name, value):
    before = build()
    setattr(settings, name, value)
    assert build() != before


def test_what_is_not_served_makes_no_difference(build, tmp_path):
    before = build()
    (tmp_path / "README.md").write_text("words")
    (tmp_path / "templates" / "page.pyc").write_bytes(b"bytes")
    assert build() == before


def test_the_real_files_are_found():
    assert build_id() == build_id.__wrapped__()
