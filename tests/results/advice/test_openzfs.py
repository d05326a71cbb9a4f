"""Facts about OpenZFS: each has a source, is used, and no text names a release that isn't among them."""

import csv
import re
from pathlib import Path

import pytest
from django.conf import settings

from results.advice.guide_pages import PAGES, find_pages
from results.advice.openzfs import branch_of, facts
from results.advice.questions import QUESTIONS, find_questions
from results.core.lines import DATA, SEPARATOR
from results.kinds.commands.pools import commands_for_pool
from results.kinds.flags import FLAGS

ROOT = Path(settings.BASE_DIR)
RELEASE = re.compile(r"\d+\.\d+(?:\.\d+)?")
RELEASED = re.compile(r"20\d\d-(?:0[1-9]|1[0-2])")
# A release in a text, unlike 2.5 GbE: behind the name, or after a word that says so
NAMED = re.compile(
    r"\b(?:(?:Open)?ZFS|releases?|[Ff]rom|[Uu]p to|than|since|on|and|the|of)\s+(?P<release>[0-3]\.\d(?:\.\d+)?)\b"
    r"(?!\s*(?:GbE|Gbit|µs|ms|TB|GB|MB|MiB|GiB|×|%))"
)
TAG = re.compile(r"<[^>]+>")


def known_releases() -> set[str]:
    """The releases of the table, and their branches."""
    named = {release for fact in facts().values() for release in f"{fact.since} {fact.read_in}".split()}
    return named | {".".join(release.split(".")[:2]) for release in named}


def unknown_in(text: str) -> list[str]:
    return [
        hit["release"] for hit in NAMED.finditer(TAG.sub("", text)) if hit["release"] not in known_releases()
    ]


def test_every_fact_can_be_checked(subtests):
    slugs = {page.slug for page in PAGES}
    for key, fact in facts().items():
        with subtests.test(key=key):
            assert fact.fact.endswith(".")
            assert fact.source
            assert fact.url.startswith("https://")
            ways = set(fact.checked.split())
            assert ways
            assert ways <= {"notes", "tags", "code", "manual", "issue"}
            assert ways != {"code"} or not fact.commit
            assert fact.page in slugs
            assert all(RELEASE.fullmatch(release) for release in f"{fact.since} {fact.read_in}".split())
            assert "tags" not in ways or fact.since
            assert "notes" not in ways or (fact.since and RELEASED.fullmatch(fact.released))


def test_every_fact_is_used():
    files = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "results").rglob("*.py")]
    used = "\n".join(path.read_text(encoding="utf-8") for path in files)
    with (DATA / "questions.csv").open(encoding="utf-8", newline="") as lines:
        in_answers = {source for line in csv.DictReader(lines) for source in line["sources"].split(SEPARATOR)}
    unused = facts().keys() - in_answers
    assert [key for key in unused if not re.search(rf"openzfs\.{key}\b|\[[\"']{key}[\"']\]", used)] == []


def test_the_search_for_unknown_releases_finds_one():
    assert unknown_in("From OpenZFS <strong>2.9.1</strong> on") == ["2.9.1"]
    assert unknown_in("from 2.5 GbE on, up to 2.2 times") == ["2.2"] * ("2.2" not in known_releases())


@pytest.mark.django_db
def test_no_page_of_the_guide_names_a_release_that_nobody_looked_up(client, subtests):
    pages = [f"/guide/{page.slug}/" for page in PAGES] + ["/submit/commands/", "/guide/how-big/?link=10"]
    pages.append("/guide/do-i-need-one/?sync=yes&without=fast&loss=forbidden&pool=disks&special=newer")
    for url in pages:
        with subtests.test(url=url):
            assert unknown_in(client.get(url).text.partition("<main")[2]) == []


def test_no_other_text_names_a_release_that_nobody_looked_up():
    texts = [question.answer for question in QUESTIONS]
    texts += [meaning for meanings in FLAGS.values() for meaning in meanings.values()]
    texts += [step.meaning for log in ("", "sdb") for step in commands_for_pool("tank", log, 64)]
    assert [found for text in texts if (found := unknown_in(text))] == []


@pytest.mark.parametrize(
    ("version", "branch"),
    [("2.3.4", (2, 3)), ("0.8", (0, 8)), ("2.4.0-rc1", (2, 4)), ("", None), ("5", None)],
)
def test_branch_of_a_release(version, branch):
    assert branch_of(version) == branch


def test_the_search_finds_facts_by_what_people_type(subtests):
    for text, slug in [
        ("zil_slog_bulk", "what-changed-by-2026"),
        ("o_direct cache=none", "who-sends-sync-writes"),
        ("zfs_wrlog_data_max", "how-big"),
        ("zilstat", "access-patterns"),
    ]:
        with subtests.test(text=text):
            assert slug in {page.slug for page in find_pages(text)}
    for text, key in [
        ("does qemu bypass the slog", "direct"),
        ("zpool add log -n", "add"),
        ("iscsi esxi sync", "iscsi"),
        ("monitor slog flush latency", "watch"),
    ]:
        with subtests.test(text=text):
            assert key in {question.key for question in find_questions(text)}
