"""Every phrase masks what its placeholders stand for, and nothing else."""

import re

import pytest

from parsers.privacy.mask import redact
from parsers.privacy.phrases import phrases, rules_of
from parsers.privacy.rules import find_by_rules, haystack

VALUES = {
    "host": "zqbox{}",
    "hosts": "zqbox{}",
    "user": "zquser{}",
    "users": "zqone{0}, zqtwo{0}",
    "name": "Zqa{} Qznob",
    "pool": "zqvat{}",
    "serial": "ZQ7{}K2X9W",
    "wwn": "5000cca01a2b3c{}",
    "address": "00:e0:59:0a:1b:{}",
    "key": "zQ{}_kX-7w",
    "secret": "zQ{}_kX-8w",
}
KINDS = {"name": "user", "users": "user", "secret": "key", "hosts": "host"}
MASKS = {"users": "[user-0], [user-0]"}
OTHERS = {"": "word", "n": "12"}
MARK = re.compile(r"\{([a-z]*)\??\}")
CHOICE = re.compile(r"<([^<>|]*)\|[^<>]*>")


def example(phrase):
    """A line that the phrase fits, and the same line as it has to be masked."""
    line = (
        CHOICE.sub(r"\1", phrase.removeprefix("^").removesuffix("$")).replace("…", "any ").replace("'?", "'")
    )
    if line.startswith("/"):
        line = f"/var{line}"  # a folder in the root is a pool's
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


def test_a_list_of_hosts_is_masked_name_by_name():
    text = "monmap quorum zqbox1,zqbox2,zqbox3 of 3\n    host_targets: ['zqbox4:9100', 'zqbox5:9100']\n"
    rules = [rule for phrase in ("quorum {hosts}", "host_targets: ['{hosts}") for rule in rules_of(phrase)]
    found = {site.value for site in find_by_rules(haystack(text), rules)}
    assert found == {f"zqbox{number}" for number in range(1, 6)}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Written by Zqa van der Qznob on Monday", "Zqa van der Qznob"),
        ("Written by Zqa in a hurry", "Zqa"),
        ("Written by hand", None),
        ("Written by Everyone", None),
    ],
)
def test_a_persons_name_goes_on_as_long_as_there_are_capitals(line, name):
    rules = list(rules_of("Written by {name?}"))
    assert [site.value for site in find_by_rules(haystack(line), rules)] == [name] * (name is not None)


def test_each_set_of_a_path_is_masked_unless_it_is_a_common_word():
    rules = list(rules_of("objset for {pool}"))
    found = find_by_rules(haystack("can't open objset for zqvat/vm/zqset@zqsnap\n"), rules)
    assert [site.value for site in found] == ["zqvat", "zqset"]


def test_a_host_may_be_the_beginning_of_a_longer_name():
    (rule,) = rules_of("debug-{host}-{n}.tgz")
    found = find_by_rules(haystack("see debug-zq-box-2024.tgz\n"), [rule])
    assert [site.value for site in found] == ["zq-box"]


@pytest.mark.parametrize("phrase", ["nothing to mask in {}", "{host} {n} #"])
def test_a_phrase_needs_a_placeholder_and_a_word(phrase):
    with pytest.raises(ValueError, match="phrase"):
        list(rules_of(phrase))


@pytest.mark.parametrize("secret", ["hunter42x", "1-aB3dE"])
def test_a_secret_has_letters_and_figures(secret):
    assert masked_by("the key is {secret}", f"the key is {secret}") == [secret]


@pytest.mark.parametrize("word", ["missing", "123456", "4096KiB/s", "v2.1.11"])
def test_a_word_or_a_figure_is_no_secret(word):
    assert masked_by("the key is {secret}", f"the key is {word}") == []


def test_a_gap_can_be_empty_and_a_choice_can_be_what_is_looked_for():
    phrase = "<curl|wget> … -u {user}:{key}"
    for line in ("curl -u zqa:zqPw77", "wget -q -x -u zqa:zqPw77"):
        assert masked_by(phrase, line) == ["zqa", "zqPw77"]


def masked_by(phrase, line):
    """What the rules of one phrase find in a line."""
    rules = list(rules_of(phrase))
    return [site.value for site in find_by_rules(haystack(line), rules)]
