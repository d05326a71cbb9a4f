"""What the guide says of OpenZFS names its version and where to check it."""

import re
from pathlib import Path

from django.conf import settings

from results.advice.questions import QUESTIONS

TEMPLATES = Path(settings.BASE_DIR) / "templates" / "results" / "guide"
PARAGRAPH = re.compile(r"<(p|li)\b[^>]*>(.*?)</\1>", re.DOTALL)
VERSION = re.compile(r"\b(?:0\.8|2\.\d)")


def test_no_paragraph_on_openzfs_is_without_version_and_link():
    bare = [
        (path.name, text)
        for path in sorted(TEMPLATES.glob("*.html"))
        for _, text in PARAGRAPH.findall(path.read_text(encoding="utf-8"))
        if "OpenZFS" in text
        and not ("<a href=" in text and VERSION.search(re.sub(r'href="[^"]*"', "", text)))
    ]
    assert bare == []


def test_no_answer_on_openzfs_is_without_version_and_source():
    assert [one.key for one in QUESTIONS if "OpenZFS" in one.answer and not VERSION.search(one.answer)] == []
    assert [one.key for one in QUESTIONS if not one.sources] == []
