"""Cases of masking: the files in `spellings/`, where ⟦ and ⟧ mark what must not leak, and all labels of the table."""

import re
from pathlib import Path
from typing import NamedTuple

from parsers.privacy.table import LABELS, Label

FOLDER = Path(__file__).parent / "spellings"
KINDS = sorted(path.stem for path in FOLDER.glob("*.txt"))
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


VALUES = {
    "serial": "S4EV{:04}X",
    "wwn": "5000cca01a2b{:04x}",
    "host": "box{:04}",
    "user": "zqa{:04}",
    "address": "00e59012{:04x}",
    "key": "Pw{:04}-x",
    "pool": "zqvat{:04}",
}


class Labelled(NamedTuple):
    """A name of the table in front of an identifier that no other case has."""

    label: Label
    name: str
    secret: str

    @property
    def line(self):
        return f"{self.name}:    {self.secret}\n"

    @property
    def key(self):
        return self.name.lower().replace(" ", "_")

    @property
    def member(self):
        return f'{{"{self.key}": "{self.secret}"}}\n'

    def masked(self, text, number=1):
        return text.replace(self.secret, f"[{self.label.kind}-{number}]")


def labelled():
    """A case for each name of each row of the table of labels."""
    names = ((label, name.lstrip("*")) for label in LABELS for name in label.names)
    return [
        Labelled(label, name, VALUES[label.kind].format(number))
        for number, (label, name) in enumerate(names, 1001)
    ]
