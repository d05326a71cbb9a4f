"""What a power cut does to acknowledged writes, by the columns of a product."""

import pytest

from results.advice.protection import HEADLINES, MEANINGS, PROTECTIONS, Safety
from results.catalogue.protection import product_protection
from results.models import Product
from results.models.choices import Plp

LISTED = {"value": "partial", "evidence": "openzfs_list", "url": "https://a.example/"}
REVIEWED = {"value": "partial", "evidence": "board_review", "url": "https://a.example/"}
LOSING = {
    "value": "no",
    "evidence": "article",
    "url": "https://a.example/",
    "note": "loses data in a power cut",
}
INDIRECT = {"value": "yes", "evidence": "indirect", "url": "https://a.example/"}


@pytest.mark.parametrize(
    ("plp", "statements", "safety"),
    [
        ("yes", [], Safety.SAFE),
        ("by_design", [], Safety.SAFE),
        ("external", [], Safety.CONDITIONAL),
        ("no", [], Safety.UNPROTECTED),
        ("disputed", [], Safety.DISPUTED),
        ("unknown", [], Safety.UNKNOWN),
        ("unknown", [INDIRECT], Safety.UNKNOWN),
        (None, [], Safety.UNKNOWN),
        ("partial", [LISTED, REVIEWED], Safety.ENOUGH),
        ("partial", [REVIEWED], Safety.UNPROTECTED),  # data at rest isn't what was just flushed
        ("disputed", [LOSING], Safety.UNSAFE),
    ],
)
def test_safety_comes_from_the_catalogue(plp, statements, safety):
    product = Product(plp=plp, plp_statements=statements) if plp else None
    assert product_protection(product).safety is safety


def test_only_a_drive_that_was_shown_to_lose_data_is_called_unsafe():
    found = [protection for key, protection in PROTECTIONS.items() if key != "unsafe"]
    for text in (
        *(protection.sentence for protection in found),
        *(protection.meaning for protection in found),
    ):
        assert "unsafe" not in text.lower()
    assert [safety for safety, (text, _) in HEADLINES.items() if "unsafe" in text.lower()] == [Safety.UNSAFE]


def test_a_drive_without_protection_is_slow_or_loses_writes():
    none = PROTECTIONS["no"]
    assert none.sentence == "Not protected: slow if it obeys flushes, and it can lose writes if it doesn’t"
    assert none.meaning == (
        "Nothing powers its cache in a power cut. If its firmware obeys flushes, nothing that ZFS acknowledged is "
        "lost, but it has to write to the flash or disk each time, so it is slow. If it doesn’t obey, such writes "
        "can be lost, and few people know which drives do."
    )


def test_a_dispute_is_one_sentence():
    sentence = "Sources disagree about power-loss protection: treat as unprotected until checked"
    assert (PROTECTIONS["disputed"].sentence, HEADLINES[Safety.DISPUTED][0]) == (sentence, sentence)


def test_every_value_has_a_meaning_and_every_safety_but_one_a_headline():
    assert set(MEANINGS) >= set(Plp)
    assert {*HEADLINES, Safety.SAFE} == set(Safety)
