from results.core.audit import masked
from tests.pastes import SERIAL


def test_identifiers_in_free_text_are_masked():
    written = masked(f" second slot\nSerial Number: {SERIAL}\nand {SERIAL} again ")
    assert written == "second slot\nSerial Number: [serial-1]\nand [serial-1] again"


def test_other_words_stay_as_they_are():
    assert (
        masked("LSI 9207-8i in IT mode, firmware 20.00.07.00")
        == "LSI 9207-8i in IT mode, firmware 20.00.07.00"
    )
