"""What the check says of each drive."""

from django.http import HttpResponse

from tests.page import Page, text_of

MODEL, CAPACITY = "ALDERA S1-480", 480_103_981_056
TONES = {"": "info", "notice-warn": "warn", "notice-bad": "bad"}


def drives(response: HttpResponse) -> list[Page]:
    return [Page(article) for article in Page(response).root.iter("article")]


def only(response: HttpResponse) -> Page:
    (drive,) = drives(response)
    return drive


def verdict(drive: Page) -> tuple[str, str]:
    """Its tone and its words."""
    notice = drive.root.find_class("notice")[0]
    return TONES[notice.get("class").removeprefix("notice").strip()], text_of(notice.find("strong"))


def prices(drive: Page) -> list[str]:
    """The prices that pages showed, by offer."""
    return [f"{offer}: {price}" for offer, price in drive.facts.items() if offer.endswith((" new", " used"))]
