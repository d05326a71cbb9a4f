"""bandit's findings, each answered: what it objects to, where that is meant, and why it does no harm there."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPERATORS = ("slogdb/local/",)
PAGES = (
    *("results/catalogue/", "results/core/", "results/devices/", "results/home/", "results/leaderboard/"),
    *("results/compare/", "results/kinds/", "results/ranking/", "results/survey/"),
    "results/submissions/published.py",
)
STARTERS = ("slogdb/", "results/operations/", "results/core/reader.py")
# Test of bandit -> (where, as beginnings of paths; why)
ANSWERS = {
    "B104": (("slogdb/local/options.py",), "it names the address to warn about it"),
    "B105": (
        (
            *("results/api/idempotency.py", "results/submissions/claim.py", "results/operations/"),
            *("results/accounts/sign_in.py", "results/api/schema.py", "results/core/security/events.py"),
        ),
        "names of tokens and variables, and what is said of passwords and tokens",
    ),
    "B108": (
        ("slogdb/local/stack.py",),
        "a throwaway folder that is made for its owner alone",
    ),
    "B308": (PAGES, "SVG and JSON that results.charts and Django's json_script have escaped"),
    "B703": (PAGES, "the same"),
    "B310": (OPERATORS, "the operator's own site, at an address that the program itself puts together"),
    "B311": (("results/demo/",), "made-up figures that must come out the same every time"),
    "B404": (STARTERS, "programs that start PostgreSQL, Valkey, the site and its reader of texts"),
    "B603": (
        STARTERS,
        "a list of arguments in which nobody outside can say anything, and no shell",
    ),
    "B606": (("results/operations/postgres_tools.py",), "psql, in this process's place, without a shell"),
    "B608": (
        (
            "results/exports/",
            "results/imports/",
            "results/migrations/",
            "results/ranking/",
            "results/search/",
            "results/submissions/",
            "slogdb/local/stack.py",
        ),
        "statements put together from the code's own names; values travel as parameters",
    ),
}


def test_every_finding_is_answered():
    done = subprocess.run(
        [sys.executable, "-m", "bandit", "-q", "-r", "parsers", "results", "slogdb", "-f", "json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    report = json.loads(done.stdout)
    assert report["errors"] == []
    found = {(one["test_id"], one["filename"].removeprefix("./")) for one in report["results"]}
    assert found, "bandit has looked at nothing"
    assert sorted(one for one in found if not one[1].startswith(ANSWERS.get(one[0], ((), ""))[0])) == []
