"""Which slots products fit, by the catalogue's wording."""

import pytest

from results.advice.fit import Fit
from results.advice.form_factor import SLOTS, fit_slot

NVME, SATA, SAS = "PCIe 3.0 x4 NVMe", "SATA 3 (6 Gb/s)", "SAS 12 Gb/s"


def test_slot_accepts_matching_form_factors(subtests):
    for slot, forms, interface, fit, check in [
        ("m2-2280", "M.2", NVME, Fit.YES, "check the length"),
        ("m2-2280", "M.2 2280", NVME, Fit.YES, ""),
        ("m2-2280", "M.2 22110, U.2", NVME, Fit.NO, ""),
        ("m2-2280", "U.2, M.2 110, M.2 80", NVME, Fit.YES, ""),
        ("m2-2280", "M.2 22110, U.2, M.2", NVME, Fit.NO, ""),  # of the two, the one that states a length
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
            assert fit_slot(slot, forms, interface) == (fit, check)


@pytest.mark.parametrize("slot", SLOTS)
def test_unknown_form_factor_is_not_ruled_out(slot):
    assert fit_slot(slot, "", "").fit is Fit.UNKNOWN
