"""What a link asks for."""

from urllib.parse import parse_qs, urlsplit


def query_params(url: str) -> dict[str, str]:
    """The parameters of a link."""
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
