"""`bin/test --changed` runs the tests of a change, and all if nobody can say which those are."""

import pytest

from tests.plugins.changed import ROOT, files_to_run


@pytest.mark.parametrize(
    ("changed", "run", "left_out"),
    [
        (
            "results/compare/devices/query.py",
            "results/compare/devices/test_page.py",
            "parsers/dd/test_read.py",
        ),
        ("results/compare/devices/query.py", "results/test_snapshots.py", "results/accounts/test_keys.py"),
        (
            "templates/results/compare/page.html",
            "results/compare/devices/test_page.py",
            "parsers/test_paste.py",
        ),
        ("parsers/base/units.py", "parsers/dd/test_read.py", "deploy/test_compose.py"),
        ("tests/parsers/corpus/dd/accepted/a.txt", "parsers/test_corpus.py", "results/test_snapshots.py"),
        ("tests/results/publishing.py", "results/kinds/test_every_kind.py", "parsers/test_paste.py"),
        ("static/js/copy-text.js", "js/test_copy_text.py", "results/test_snapshots.py"),
        ("docs/api.md", "docs/test_api.py", "results/test_snapshots.py"),
        ("CHANGELOG.md", "test_house_rules.py", "parsers/test_paste.py"),
        ("deploy/nginx.conf", "deploy/test_compose.py", "parsers/test_paste.py"),
    ],
)
def test_a_change_runs_the_files_to_run_its_folder_and_those_that_import_it(changed, run, left_out):
    found = {str(path.relative_to(ROOT / "tests")) for path in files_to_run((changed,))}
    assert (run in found, left_out in found) == (True, False)


@pytest.mark.parametrize(
    "changed", ["pyproject.toml", "tests/conftest.py", "manage.py", "results/migrations/0099.py"]
)
def test_what_may_change_everything_runs_everything(changed):
    assert files_to_run((changed, "docs/api.md")) is None
