"""Licence keys, passwords and what else opens something."""

import re

from parsers.privacy.labels import BETWEEN, MARK, is_in_capitals
from parsers.privacy.rules import Rule, at_line, at_word, by_shape


def _is_encoded(_match: re.Match[str], value: str) -> bool:
    """Whether it has figures, small letters and capitals, as base64 does."""
    return not value.islower() and not value.isupper() and any(map(str.isdigit, value))


KEY_RULES: tuple[Rule, ...] = (
    at_word(
        "key",
        *(
            "licen",
            "product",
            "registration",
            "activation",
            "cd",
            "subscription",
            "support key",
            "lizenz",
            *("raid key", "serial key"),
        ),
        fits=(
            r"(?:licen[cs]e|product|registration|activation|cd|subscription|support|volume|lizenz"
            r"|raid|serial|premium|feature)"
            rf"[ _-]?(?:key|code|schlüssel){BETWEEN}"
            r"(?P<v1>(?=[\w-]{0,60}[0-9])[a-z0-9][\w-]{7,80})"
        ),
    ),
    at_word(
        "key",
        "licen",
        fits=(
            rf"licen[cs]e(?:[ _-](?:id|number|no\.?|code))?[ ]?[:=]{MARK}{{0,10}}"
            r"(?P<v1>(?=[\w-]{0,60}[0-9])[a-z0-9]{2,12}(?:-[a-z0-9]{2,12}){2,9})"
        ),
    ),
    at_word(
        "key",
        *(
            "password",
            "passwd",
            "passphrase",
            "passcode",
            "secret",
            "token",
            "api",
            "psk",
            "pwd",
            "community",
        ),
        fits=(
            r"(?<![a-z])(?:password|passwd|passphrase|passcode|token|psk|pwd|community"
            r"|secret(?:[ _-](?:access[ _-])?key)?|api[ _-]?key)"
            r"[\"']?[ ]?[:=][ ]?[\"']?(?P<v1>[^\s\"',;<>&]{4,200})"
        ),
    ),
    # any other key that is long enough to be one
    at_word(
        "key",
        "key",
        fits=(
            r"key[\"']?[ ]{0,4}[:=][ ]{0,4}[\"']?"
            r"(?P<v1>(?=[\w+/=.:-]{0,60}[0-9])(?=[^a-z\s]{0,60}[a-z])[\w+/=.:-]{24,400})"
        ),
    ),
    at_word("key", "bearer ", fits=r"bearer[ ](?P<v1>[\w+/=.~-]{16,900})"),
    # tokens of well-known services, and lines of a private key
    at_word(
        "key",
        *("ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "tskey-", "akia"),
        fits=(
            r"(?<![\w-])(?:gh[pos]_|github_pat_|glpat-|xox[bp]-|tskey-|akia)"
            r"(?P<v1>(?=[a-z_-]{0,60}[0-9])[\w-]{16,200})"
        ),
    ),
    by_shape(
        "key",
        fits=r"^[ \t]{0,8}(?P<v1>[0-9a-z+/]{60,76}={0,2})[ \t]*$",
        hint="private key-----",
        accepts=_is_encoded,
    ),
    at_word("key", "eyj", fits=r"(?<![\w+/])(?P<v1>eyj[\w-]{10,400}\.[\w-]{10,900}\.[\w-]{10,900})"),
    at_word("key", "-u ", fits=r"(?<![\w-])-u[ ]\S{1,40}[ ]-p[ ](?P<v1>\S{4,60})"),
    # of a Windows account or machine
    at_word("key", "s-1-5-21-", fits=r"(?<![\w-])(?P<v1>s-1-5-21(?:-[0-9]{3,10}){3,4})(?![\w-])"),
    at_word("key", "safe", fits=rf"safe[ _-]?id{BETWEEN}(?P<v1>[a-z0-9]{{20,60}})(?![a-z0-9])"),
    at_line(
        "key",
        "key:",
        fits=(
            r"[ \t]*key:[ ]{1,20}(?P<v1>(?=[a-z-]{0,60}[0-9])[a-z0-9]{3,12}(?:-[a-z0-9]{4,40}){1,9})"
            r"[ \t]*$"
        ),
    ),
    at_word(
        "key",
        *("ssh-", "ecdsa-"),
        fits=r"(?:ssh-(?:ed25519|rsa|dss)|ecdsa-sha2-[\w-]{1,20})[ ](?P<v1>aaaa[\w+/=]{20,900})",
    ),
    at_word("key", "sha256:", fits=r"sha256:(?P<v1>[\w+/]{40,50})"),
    at_word("key", "md5:", fits=r"md5:(?P<v1>[0-9a-f]{2}(?::[0-9a-f]{2}){15})"),
    # licence keys
    by_shape(
        "key",
        fits=r"(?<![\w-])(?P<v1>(?=[a-z-]{0,40}[0-9])(?=[0-9-]{0,40}[a-z])[0-9a-z]{5}(?:-[0-9a-z]{5}){3,7})(?![\w-])",
        hint=r"-[0-9a-z]{5}-[0-9a-z]{5}(?![0-9a-z])",
        accepts=is_in_capitals,
    ),
)
