"""Every phrase masks what its placeholders stand for, and nothing else."""

import re

import pytest

from parsers.privacy.mask import redact
from parsers.privacy.phrases import phrases, rules_of

VALUES = {
    "host": "zqbox{}",
    "user": "zquser{}",
    "users": "zqone{0}, zqtwo{0}",
    "name": "Zqa{} Qznob",
    "pool": "zqvat{}",
    "serial": "ZQ7{}K2X9W",
    "wwn": "5000cca01a2b3c{}",
    "address": "00:e0:59:0a:1b:{}",
    "key": "zQ{}_kX-7w",
}
KINDS = {"name": "user", "users": "user"}
MASKS = {"users": "[user-0], [user-0]"}
OTHERS = {"": "word", "n": "12"}
MARK = re.compile(r"\{([a-z]*)\??\}")
CHOICE = re.compile(r"<([^<>|]*)\|[^<>]*>")


def example(phrase):
    """A line that the phrase fits, and the same line as it has to be masked."""
    line = CHOICE.sub(r"\1", phrase.removeprefix("^").removesuffix("$")).replace("…", "any ")
    plain, masked, last = line, line, {}
    for number, mark in enumerate(MARK.findall(line), 11):
        if mark in OTHERS:
            values = (OTHERS[mark], OTHERS[mark])
        else:
            kind = KINDS.get(mark, mark)
            last[kind] = last.get(kind, 0) + 1
            values = (VALUES[mark].format(number), MASKS.get(mark, f"[{kind}-{last[kind]}]"))
        plain, masked = (
            MARK.sub(lambda _, value=value: value, text, count=1)
            for text, value in zip((plain, masked), values, strict=True)
        )
    return f"{plain}\n", f"{masked}\n"


@pytest.mark.parametrize("phrase", phrases())
def test_a_phrase_masks_its_placeholders_only(phrase):
    plain, masked = example(phrase)
    assert renumbered(redact(plain, unit_key=b"key", unit_digests={}).text) == renumbered(masked)


def renumbered(text):
    """The text with its masks without numbers: their order depends on which rule comes first."""
    return re.sub(r"\[([a-z]+)-\d+\]", r"[\1]", text)


@pytest.mark.parametrize("phrase", ["nothing to mask in {}", "{host} {n} #"])
def test_a_phrase_needs_a_placeholder_and_a_word(phrase):
    with pytest.raises(ValueError, match="phrase"):
        list(rules_of(phrase))
