"""What a link asks for."""

from urllib.parse import parse_qs, urlsplit

from tests.page import Page, text_of


def query_params(url: str) -> dict[str, str]:
    """The parameters of a link."""
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


def choices(page: Page, label: str) -> dict[str, tuple[dict[str, str], bool]]:
    """The links of a group by their texts: what they ask for, and whether that is shown."""
    links = page.root.xpath(f".//nav[@aria-label='{label}']/a")
    return {text_of(link): (query_params(link.get("href")), "aria-current" in link.attrib) for link in links}
