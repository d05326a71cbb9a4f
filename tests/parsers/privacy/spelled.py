"""Lines as people paste them, with the parts that must not leak marked by ⟦ and ⟧: the files in `spellings/`."""

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "spellings"
MARKED = re.compile("⟦([^⟧]*)⟧")
SHORTEST_PIECE = 4


class Spelling(NamedTuple):
    """One case: its origin, its text and the secrets in it."""

    name: str
    text: str
    secrets: tuple[str, ...]


def spellings(kind):
    """The cases of a file, without the marks."""
    for case in (FOLDER / f"{kind}.txt").read_text().removeprefix("== ").split("\n== "):
        name, _, marked = case.partition("\n")
        text = MARKED.sub(r"\1", marked.removesuffix("\n") + "\n")
        yield Spelling(f"{kind}: {name}", text, tuple(MARKED.findall(marked)))


def leaks(secrets, printed):
    """The secrets that are in the text, in whole or in part."""
    printed = printed.lower()
    return [secret for secret in secrets if any(_is_in(piece, printed) for piece in _pieces(secret.lower()))]


def _pieces(secret):
    pieces = [piece for piece in re.split(r"[\W_]+", secret) if len(piece) >= SHORTEST_PIECE]
    return {secret.strip(), *pieces}


def _is_in(piece, printed):
    if len(piece) > SHORTEST_PIECE + 1 and re.search("[0-9]", piece):
        return piece in printed
    return re.search(rf"(?<![a-z0-9]){re.escape(piece)}(?![a-z0-9])", printed) is not None
