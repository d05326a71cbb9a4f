import os

from slogdb.local.options import CollectedFiles


def test_they_are_collected_again_when_a_file_has_changed(tmp_path):
    (tmp_path / "requirements.txt").write_text("django==5.2\n")
    source = tmp_path / "static" / "base.css"
    source.parent.mkdir()
    source.write_text("a {}")
    collected = CollectedFiles(tmp_path / "collected", root=tmp_path)
    assert not collected.is_current()

    (tmp_path / "collected").mkdir()
    collected.note_source()
    assert collected.is_current()

    os.utime(source, (0, 0))
    assert not collected.is_current()
