"""Which slots products fit, by the catalogue's wording."""

import pytest

from results.advice.fit import Fit
from results.advice.form_factor import SLOTS, fit_slot, forms_of, only_slot, split_forms

NVME, SATA, SAS = "PCIe 3.0 x4 NVMe", "SATA 3 (6 Gb/s)", "SAS 12 Gb/s"


def test_slot_accepts_matching_form_factors(subtests):
    for slot, forms, interface, fit, check in [
        ("m2-2280", "M.2", NVME, Fit.YES, "check the length"),
        ("m2-2280", "M.2 2280", NVME, Fit.YES, ""),
        ("m2-2280", "M.2 22110, U.2", NVME, Fit.NO, ""),
        ("m2-2280", "U.2, M.2 110, M.2 80", NVME, Fit.YES, ""),
        ("m2-2280", "M.2 22110, U.2, M.2", NVME, Fit.NO, ""),  # the one that states a length
        ("m2-22110", "M.2 2280", NVME, Fit.YES, ""),
        ("m2-22110", "M.2", SATA, Fit.YES, "check the length, check that the slot takes SATA"),
        ("m2-22110", "U.2", NVME, Fit.NO, ""),
        ("u2", "U.3", NVME, Fit.YES, ""),
        ("u2", "PCIe card, 2.5-inch SFF", NVME, Fit.YES, ""),
        ("u2", "2.5-inch", SATA, Fit.NO, ""),
        ("2.5-sata", "2.5-inch", SATA, Fit.YES, ""),
        ("2.5-sata", "2.5-inch", SAS, Fit.NO, ""),
        ("2.5-sata", "2.5-inch", NVME, Fit.NO, ""),
        ("2.5-sata", "2.5-inch", "", Fit.UNKNOWN, "check the interface"),
        ("2.5-sas", "2.5-inch", SATA, Fit.YES, ""),
        ("2.5-sas", "3.5-inch", SAS, Fit.NO, ""),
        ("hhhl", "PCIe card, U.2", NVME, Fit.YES, "check the height"),
        ("hhhl", "2.5-inch 15 mm U.2 and HHHL add-in card", NVME, Fit.YES, ""),
        ("hhhl", "PCIe card (half height, half length)", NVME, Fit.YES, ""),
        ("hhhl", "M.2", NVME, Fit.NO, ""),
        ("dimm", "DIMM", "DDR4", Fit.YES, ""),
        ("dimm", "PCIe card with 4 modules, JEDEC module", "DDR3 / DDR4", Fit.YES, ""),
        ("dimm", "M.2", NVME, Fit.NO, ""),
        ("u2", "", NVME, Fit.UNKNOWN, "check the form factor"),
        ("u2", "", SATA, Fit.NO, ""),  # whatever it looks like
        ("u2", "", "", Fit.UNKNOWN, "check the form factor"),
    ]:
        with subtests.test(slot=slot, forms=forms, interface=interface, fit=fit):
            assert fit_slot(slot, forms, interface)[:2] == (fit, check)


def test_a_line_of_several_forms_fits_in_one_of_them():
    for slot, forms, interface, is_one_of_several in (
        ("m2-22110", "M.2, 2.5-inch", NVME, True),
        ("m2-22110", "M.2 22110", NVME, False),
        ("m2-22110", "M.2 2280, M.2 22110", NVME, False),
        ("u2", "PCIe card, U.2; P4511: M.2", NVME, True),
        ("u2", "U.2, 2.5-inch 15 mm U.2", NVME, False),
        ("hhhl", "PCIe card (half height, half length)", NVME, False),
        ("2.5-sata", "2.5-inch, 1.8-inch", SATA, True),
        ("2.5-sata", "2.5-inch", SATA, False),
    ):
        found = fit_slot(slot, forms, interface)
        assert (found.fit, found.is_one_of_several) == (Fit.YES, is_one_of_several), (slot, forms)


def test_forms_are_listed_once_and_in_detail():
    assert split_forms("M.2, U.3, E1.S", "U.3, E1.S and M.2") == ["M.2", "U.3", "E1.S"]
    assert split_forms("PCIe card, U.2", "2.5-inch 15 mm U.2 and HHHL add-in card") == [
        "2.5-inch 15 mm U.2",
        "HHHL add-in card",
    ]
    assert split_forms("PCIe card, U.2", "PCIe HHHL or 2.5-inch U.2") == ["U.2", "PCIe HHHL"]
    assert split_forms("PCIe card (half height, half length)", "half-height half-length card") == [
        "PCIe card (half height, half length)"
    ]
    assert split_forms("2.5-inch SFF (280 GB), M.2 2280", "M.2, 2.5-inch") == [
        "2.5-inch SFF (280 GB)",
        "M.2 2280",
    ]
    assert split_forms("", "") == []


def test_a_form_of_one_capacity_is_not_that_of_the_others():
    forms = ["PCIe card", "U.2", "M.2 22110 (380 GB)", "2.5-inch SFF (SN100)"]
    assert forms_of(forms, 380 * 10**9) == forms
    assert forms_of(forms, 380_083_265_536) == forms
    assert forms_of(forms, 480 * 10**9) == ["PCIe card", "U.2", "2.5-inch SFF (SN100)"]
    assert forms_of(forms, None) == forms


def test_a_slot_is_looked_for_only_where_the_form_is_known():
    for forms, interface, slot in (
        ("2.5-inch", SATA, "2.5-sata"),
        ("2.5-inch", SAS, "2.5-sas"),
        ("M.2 2280", NVME, "m2-2280"),
        ("M.2 22110", NVME, "m2-22110"),
        ("M.2, 2.5-inch", NVME, ""),
        ("", NVME, ""),
    ):
        assert only_slot(forms, interface) == slot, forms


@pytest.mark.parametrize("slot", SLOTS)
def test_unknown_form_factor_is_not_ruled_out(slot):
    assert fit_slot(slot, "", "").fit is Fit.UNKNOWN
