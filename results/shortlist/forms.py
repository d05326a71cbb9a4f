"""The parameters of a shortlist, for the page and the API."""

from collections.abc import Mapping
from decimal import Decimal
from functools import partial

from django import forms

from results.advice.criteria import ALL, Need
from results.advice.form_factor import SLOTS
from results.advice.lifetime import WARRANTY_YEARS
from results.advice.link import LINKS, Link
from results.catalogue.prices import CURRENCIES, DEFAULT_CURRENCY, OFFERS, read_price
from results.core.forms import CheckedField, NumberField
from results.models.choices import ONLY_PROTECTED, PROTECTED, Plp

ANY = "any"
_PROTECTIONS: Mapping[str, frozenset[str]] = {
    ONLY_PROTECTED: frozenset(PROTECTED),
    Plp.YES.value: frozenset({Plp.YES}),
    Plp.BY_DESIGN.value: frozenset({Plp.BY_DESIGN}),
    ANY: frozenset(),
}
_PROTECTION_LABELS = {
    ONLY_PROTECTED: "required",
    Plp.YES.value: "required, with capacitors or a battery",
    Plp.BY_DESIGN.value: "required, by design (no volatile cache)",
    ANY: "not required",
}
SYSTEMS = {"linux": "Linux", "freebsd": "FreeBSD"}
_SYSTEM_LABELS = {"linux": "Linux, TrueNAS SCALE, Proxmox VE", "freebsd": "FreeBSD, TrueNAS CORE"}
_LINKS: Mapping[str, Link] = {str(link.gbit_s): link for link in LINKS}
DEFAULTS = {"link_share": "50", "plp": ONLY_PROTECTED, "currency": DEFAULT_CURRENCY, "mirror": "0"}


def _choice(label: str, options: Mapping[str, str], *, unset: str = "") -> forms.ChoiceField:
    """A choice; `unset` labels the empty option, else the first is the default."""
    choices = [*([("", unset)] if unset else []), *options.items()]
    field = forms.ChoiceField(label=label, choices=choices, required=False)
    field.error_messages["invalid_choice"] = f"“%(value)s” isn’t one of {', '.join(options)}."
    return field


class ShortlistForm(forms.Form):
    """The needs of a buyer; every field is optional."""

    link_gbit = _choice(
        "Network link", {value: link.ethernet for value, link in _LINKS.items()}, unset="any speed"
    )
    link_share = NumberField("Share of sync writes", most=100, least="1")
    mib_s = NumberField("Or sync write rate", most=100_000)
    gb_per_day = NumberField("Written per day", most=10_000_000)
    years = NumberField("Should last", most=50, least="0.1")
    mirror = _choice("How many", {"0": "one", "1": "two, as a mirror"})
    budget: forms.Field = NumberField("Total budget", most=1_000_000)
    currency = _choice("Currency", {value: value for value in sorted(CURRENCIES)})
    condition = _choice("Condition", {offer.value: offer.label for offer in OFFERS}, unset="new or used")
    form_factor = _choice("Form factor", SLOTS, unset="any")
    plp = _choice("Power-loss protection", _PROTECTION_LABELS)
    platform = _choice("System", _SYSTEM_LABELS, unset="any")

    def clean(self) -> None:
        super().clean()
        stated = self.cleaned_data
        if stated.get("link_gbit") and stated.get("mib_s"):
            self.add_error("mib_s", "Choose a network link or enter a sync write rate, not both.")

    def need(self) -> Need:
        stated = self.cleaned_data
        link, mib_s = _LINKS.get(stated["link_gbit"]), stated["mib_s"]
        share = stated["link_share"] or Decimal(DEFAULTS["link_share"])
        speed = link.mib_s * float(share / ALL) if link else None
        return Need(
            link=link,
            share=share,
            mib_s=speed if mib_s is None else float(mib_s),
            gb_a_day=stated["gb_per_day"],
            years=stated["years"] or Decimal(WARRANTY_YEARS),
            is_mirror=stated["mirror"] == "1",
            budget=stated["budget"],
            currency=stated["currency"] or DEFAULT_CURRENCY,
            offer=stated["condition"],
            slot=stated["form_factor"],
            protections=_PROTECTIONS[stated["plp"] or ONLY_PROTECTED],
            system=SYSTEMS.get(stated["platform"], ""),
        )


class ShortlistPageForm(ShortlistForm):
    """The same form for people, who write a budget as $250 or 1,000 USD, if it is none of those to choose from."""

    budget = CheckedField(partial(read_price, currency=""), label="Total budget", max_length=60)
    other_budget = CheckedField(partial(read_price, currency=""), label="Another budget", max_length=60)

    field_order = ("other_budget",)

    def clean(self) -> None:
        super().clean()
        stated = self.cleaned_data
        name = "other_budget" if stated.get("other_budget") else "budget"
        price, chosen = stated.get(name), stated.get("currency") or DEFAULT_CURRENCY
        if price and price.currency not in {"", chosen}:
            self.add_error(
                name,
                f"This is in {price.currency}, but the currency is {chosen}. Choose {price.currency}, or write an "
                f"amount in {chosen}, like 250.",
            )
        stated["budget"] = price and price.amount

    def plain(self) -> dict[str, str]:
        """The budget as it is in URLs."""
        budget = self.cleaned_data.get("budget") if self.is_valid() else None
        return {} if budget is None else {"budget": f"{budget.normalize():f}", "other_budget": ""}
