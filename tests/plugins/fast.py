"""`bin/test --fast`: pure and database tests.

Left out is what requests pages, needs all data that ship, a real server or a browser, or takes seconds.
"""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SLOW = (
    # browsers
    "tests/browser",
    "tests/js",
    "tests/test_screenshots.py",
    # servers, workers and other programs as real processes
    "tests/bench",
    "tests/deploy",
    "tests/docs",
    "tests/faults",
    "tests/plugins/test_changed.py",
    "tests/plugins/test_strict.py",
    "tests/results/operations/test_backups.py",
    "tests/results/operations/test_reread_run.py",
    "tests/results/operations/test_restore.py",
    "tests/results/operations/test_site_role.py",
    "tests/results/operations/test_tls.py",
    "tests/results/submissions/test_slogprobe.py",
    "tests/results/test_worker.py",
    "tests/slogdb/local",
    "tests/slogdb/test_env_databases.py",
    "tests/slogdb/test_manage.py",
    "tests/slogdb/test_settings.py",
    "tests/slogdb/test_telemetry.py",
    "tests/slogdb/test_wsgi.py",
    "tests/submitter",
    "tests/test_serve.py",
    "tests/results/core/test_reader.py",
    # several connections to the database at once
    "tests/results/ranking/test_concurrency.py",
    "tests/results/submissions/test_concurrency.py",
    # requests by the hundred
    "tests/results/api/test_against_schema.py",
    "tests/results/api/test_generated_client.py",
    "tests/results/api/test_links.py",
    "tests/results/api/test_lists.py",
    "tests/results/api/test_schema.py",
    "tests/results/core/test_public_pages.py",
    "tests/results/submissions/test_forgery.py",
    "tests/results/submissions/test_hostile.py",
    "tests/results/test_forms.py",
    "tests/results/test_published_elsewhere.py",
    "tests/security",
    # texts by the hundred, or long ones
    "tests/parsers/fio/test_read.py::test_parsing_is_linear",
    "tests/parsers/live_log/test_keep.py::test_what_is_kept_says_the_same",
    "tests/parsers/slogprobe/test_read.py::test_a_text_that_is_cut_anywhere_has_fewer_figures_and_never_others",
    "tests/parsers/smartctl/test_text.py::test_a_cut_paste_gives_the_same_fields_or_none",
    "tests/parsers/test_corpus.py::test_keeping_and_reading_many_outputs_takes_linear_time",
    "tests/parsers/test_corpus.py::test_mangling_the_lines_changes_no_figure",
    "tests/parsers/test_damages.py",
    "tests/parsers/test_growth.py",
    "tests/parsers/test_keep.py",
    "tests/parsers/test_kept_cells.py",
    "tests/test_growth.py",
    "tests/parsers/test_patterns.py",
    "tests/parsers/test_layers.py::test_parsing_is_linear",
    "tests/parsers/test_paste.py::test_any_bytes_are_read_without_an_error",
    "tests/parsers/test_paste.py::test_any_text_is_read_without_an_error_and_the_same_again",
    "tests/parsers/test_shared_corpus.py",
    "tests/parsers/text/test_json_repair.py",
    "tests/parsers/text/test_prefixes.py",
    "tests/parsers/text/test_wrapping.py",
    "tests/results/core/security/test_bodies.py",
    "tests/results/imports/test_thread_html.py::test_parsing_a_page_is_linear",
    "tests/results/kinds/log_check/test_read.py::test_a_text_that_was_cut_off_is_no_result_or_the_same_one",
    "tests/results/ranking/test_intervals.py::test_medians_have_the_tabulated_loss_of_efficiency",
    "tests/results/ranking/test_simulation.py",
    "tests/results/ranking/test_whole.py",
    "tests/results/test_growth.py",
    "tests/results/test_queries.py",
    "tests/results/used_drive/live_log/test_lights.py::test_cutting_a_text_turns_no_light_green",
    # all tables, all data that ship, a site full of made-up ones, or builds of the exports
    "tests/results/catalogue/files/test_write_cells.py::test_every_shipped_line_survives_a_round_trip",
    "tests/results/catalogue/test_claims.py::test_shipped_rated_latencies_are_as_expected",
    "tests/results/catalogue/files/test_load.py::test_loading_the_shipped_catalogue_twice_changes_nothing",
    "tests/results/catalogue/test_facets.py",
    "tests/results/demo",
    "tests/results/exports",
    "tests/results/management/commands/test_load_initial_data.py",
    "tests/results/management/commands/test_load_survey.py",
    "tests/results/management/commands/test_make_results.py",
    "tests/results/models/test_migrations.py",
    "tests/results/ranking/test_plain.py",
    "tests/results/test_shipped.py",
    "tests/results/submissions/intake/test_shipped.py",
    "tests/results/submissions/intake/test_pool_data.py",
    # the checkers, each a program of its own
    "tests/test_audit.py",
    "tests/test_checks.py",
)
# Who asks for one of these fixtures waits for whole pages, or for a site of all data that ship
WAITS = {"client", "admin_client", "shipped"}
_SLOW_PATHS = frozenset(ROOT / path for path in SLOW if "::" not in path)
_SLOW_TESTS = frozenset(name for name in SLOW if "::" in name)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="leave out what tests/plugins/fast.py calls slow")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the path out, or leave the decision to others."""
    return True if config.getoption("--fast") and collection_path in _SLOW_PATHS else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow tests of files that are run otherwise, and those of pages and of the API."""
    if not config.getoption("--fast"):
        return
    config.hook.pytest_deselected(items=[item for item in items if _is_slow(item)])
    items[:] = [item for item in items if not _is_slow(item)]


def _is_slow(item: pytest.Item) -> bool:
    asked_for = getattr(item, "fixturenames", ())
    return item.nodeid.partition("[")[0] in _SLOW_TESTS or not WAITS.isdisjoint(asked_for)
