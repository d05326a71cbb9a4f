"""Read the lists of words that are data: words separated by blanks and line ends, below comments."""

from pathlib import Path


def read_words(module: str, name: str) -> frozenset[str]:
    """The words of a file beside a module."""
    return frozenset(word for line in read_lines(module, name) for word in line.split())


def read_lines(module: str, name: str) -> tuple[str, ...]:
    """The lines of a file beside a module, without empty ones and comments."""
    lines = Path(module).with_name(name).read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("# "))
