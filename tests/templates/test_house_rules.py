"""Rules that every template keeps; those that a page's own test would not see."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "templates"
FILES = sorted(TEMPLATES.rglob("*.html"))
FORBIDDEN = {
    "inline style": r"<style|\sstyle=",
    "inline script": r"<script(?![^>]*(\ssrc=|\stype=\"application/json\"))",
    "event handler": r"\son[a-z]+=",
    "text taken as safe": r"\|\s*safe\b|autoescape off",
}


def named(file):
    return file.relative_to(TEMPLATES).as_posix()


def test_the_content_security_policy_is_kept(subtests):
    for file in FILES:
        for rule in FORBIDDEN:
            with subtests.test(named(file), rule=rule):
                assert re.findall(FORBIDDEN[rule], file.read_text()) == []


PERSONAL = (
    "account/",
    "allauth/",
    "mfa/",
    "socialaccount/",
    "usersessions/",
    "results/accounts/",
    "results/imports/",
    "results/moderation/",
)


def test_a_form_that_changes_something_stands_on_personal_pages_only():
    """A public page has no token that is somebody's own: one copy of it serves everybody."""
    posting = [
        named(file)
        for file in FILES
        if 'method="post"' in file.read_text() or "csrf_token" in file.read_text()
    ]
    assert [name for name in posting if not name.startswith(PERSONAL)] == [
        "results/submissions/page.html",
        "results/used_drive/live_log.html",
        "results/used_drive/page.html",
    ]
