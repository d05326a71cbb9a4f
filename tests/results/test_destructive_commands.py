"""Commands that overwrite a disk are shown behind one gate only: the page of commands, after its checks."""

import re
from collections import Counter
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import resolve

from results.kinds.commands.disks import overwrites_a_disk
from results.models import Product
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_product

pytestmark = pytest.mark.django_db
# Written apart from overwrites_a_disk, which is tested here, too.
COMMAND = re.compile(
    r"diskinfo\s+-\S*[wW]\S*\s+\S*\w+\d|filename=/dev/|of=/dev/|(?:mkfs|blkdiscard|wipefs(?! -n))\b.*/dev/"
)
LINK = re.compile(r'(?:href|action)="([^"]+)"')
TAG = re.compile(r"<[^>]+>")
LEFT_OUT = re.compile(r"/(?:account|admin|moderation|operator|static|api/v1)/|.*/report/$")
GATE = "/submit/commands/"
MAX_OF_A_KIND = 10


def commands_in(page: str) -> list[str]:
    text = unescape(TAG.sub(" ", page.replace("</code>", "\n")))
    return [line.strip() for line in text.splitlines() if COMMAND.search(line)]


def crawl(client: Client, *starts: str):
    """The text of these pages and of those they link to, MAX_OF_A_KIND of each kind, without files and images."""
    waiting, known = list(starts), {urlsplit(url).path for url in starts}
    kinds = Counter()
    while waiting:
        url = waiting.pop()
        page = client.get(url).text
        yield url, page
        for link in LINK.findall(page):
            path = urlsplit(urljoin(url, unescape(link))).path
            is_page = link.startswith("/") and path.endswith("/") and not LEFT_OUT.match(path)
            if is_page and path not in known:
                known.add(path)
                kinds[kind := resolve(path).route] += 1
                if kinds[kind] > MAX_OF_A_KIND:
                    continue
                waiting.append(urljoin(url, unescape(link)))


def test_no_page_of_the_shipped_data_shows_a_destructive_command(client, shipped):
    unmeasured = {entry.device_class: entry.slug for entry in Product.objects.filter(devices=None)}.values()
    starts = ["/", "/search/?q=zzzz", "/leaderboard/?class=nvdimm", "/compare/?devices=intel-dc-p3700-400-gb"]
    starts += [
        "/submit/commands/?folder=/mnt/a",
        "/api/v1/",
        "/api/v1/schema/",
        "/api/v1/products/",
    ]
    starts += [f"/products/{slug}/" for slug in unmeasured]
    found, seen = {}, set()
    for url, page in crawl(client, *starts):
        seen.add(urlsplit(url).path)
        if commands := commands_in(page):
            found[url] = commands
    assert found == {}
    assert {"/", "/guide/", GATE, "/submit/", "/used-drive/", "/devices/intel-dc-p3700-400-gb/"} <= seen
    assert {f"/products/{slug}/" for slug in unmeasured} <= seen


def test_the_search_for_commands_finds_those_of_the_gate(client):
    for system, disk in (("freebsd", "nvd0"), ("linux", "sdb")):
        question = {"system": system, "disk": disk}
        assert commands_in(client.get(GATE, question).text) == []
        page = client.get(GATE, {**question, "sure": "on"}).text
        assert commands_in(page)
        assert overwrites_a_disk(page)


def test_a_stored_text_with_a_command_warns_and_links_to_the_gate(client):
    submission = receive_submission(pastes.FIRST_PASTE, Sender()).submission
    page = client.get(submission.results.get().get_absolute_url()).text
    assert commands_in(page)
    warning, _, text = page.partition("Text with line numbers")
    assert "Don’t copy a command from here." in warning
    assert not commands_in(warning)
    assert commands_in(text)


def test_only_a_command_that_overwrites_is_one(subtests):
    for text, is_one in [
        ("# diskinfo -wS /dev/da0", True),
        ("diskinfo -v -Sw nvd0", True),
        ("fio --filename=/dev/sdb", True),
        ("dd if=/dev/zero of=/dev/sdb", True),
        ("diskinfo -v /dev/da0", False),
        ("diskinfo measures sync writes -w", False),
        ("fio --directory=/mnt/tank", False),
        ("diskinfo" + " -v" * 100_000, False),
    ]:
        with subtests.test(text=text):
            assert overwrites_a_disk(text) is is_one


def test_the_commands_of_a_product_name_it_and_the_disks_of_its_class(client, product_of_sata):
    response = client.get(GATE, {"product": product_of_sata.slug})
    assert 'placeholder="ada0, sda"' in response.text
    assert f'href="{product_of_sata.get_absolute_url()}"' in response.text
    asked = client.get(GATE, {"product": product_of_sata.slug, "system": "linux", "disk": "sda"})
    assert asked.text.count(f'name="product" value="{product_of_sata.slug}"') == 2
    assert client.get(GATE, {"product": "nowhere"}).status_code == 404


@pytest.fixture
def product_of_sata():
    return make_product(slug="sata", device_class="sata_ssd")
