"""The shortlist in the API, from the same query as the page."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from results.advice.criteria import Criterion, Finding, Price, total
from results.advice.fit import Fit
from results.advice.shortlist import Refusal, Relaxation
from results.api.errors import form_problem
from results.api.rows import Row, rounded
from results.api.serializers import CLASSES, EMPTY_NUMBER
from results.api.views import ReadEndpoint
from results.core.addresses import address, full_url, with_query
from results.core.forms import NumberField
from results.core.today import today
from results.models.choices import Method, Offer, Plp
from results.shortlist.forms import DEFAULTS, ShortlistForm
from results.shortlist.query import Entry, Section, Shortlist, find_shortlist

CRITERIA = [one.value for one in Criterion]
_DESCRIPTIONS = {
    "link_gbit": "the link that carries sync writes, in Gbit/s; not together with mib_s",
    "link_share": "how much of the link is sync writes, in percent; 50 if left out",
    "mib_s": "MiB/s of sync writes, above 0 and up to 100,000",
    "gb_per_day": "GB (10^9 bytes) of sync writes a day",
    "years": "how long it should last; 5 if left out",
    "mirror": "1 for two devices: prices and the budget are for both",
    "budget": "the most that all devices together may cost",
    "currency": "only prices in this currency count; USD if left out",
    "condition": "only prices of new or used devices count; both if left out",
    "form_factor": "the slot that it has to fit; without one, DIMMs are only to check",
    "plp": "power-loss protection; protected (yes or by_design) if left out",
    "platform": "notes which devices weren't measured on this system; rules nothing out",
}


class FindingSerializer(serializers.Serializer):
    """Whether a criterion is met, with a sentence."""

    criterion = serializers.ChoiceField(choices=CRITERIA, help_text="what it is about")
    fit = serializers.ChoiceField(
        choices=[one.value for one in Fit], help_text="whether it is met, required or not"
    )
    sentence = serializers.CharField(help_text="why, for people to read")


class OfferedPriceSerializer(serializers.Serializer):
    """The price of one device, as a page showed it: the middle one of twelve months for its capacity and offer."""

    amount = serializers.FloatField(help_text="of one device")
    currency = serializers.CharField(help_text="ISO 4217")
    offer = serializers.ChoiceField(
        choices=Offer.choices,
        help_text="refurbished counts as used, and so does a marketplace price without a condition",
    )
    seen_on = serializers.CharField(help_text="a date, or the part of it that is known: 2018, 2018-01")
    age = serializers.CharField(help_text="in words, such as 14 months ago")
    is_fresh = serializers.BooleanField(help_text="whether it is at most a year old")
    source_url = serializers.URLField(help_text="the page")


class ShortlistEntrySerializer(serializers.Serializer):
    """A measured device or a product on paper, at one capacity, with its reasons."""

    name = serializers.CharField(help_text="as people call it, with the capacity")
    url = serializers.URLField(help_text="its page")
    device = serializers.CharField(
        allow_null=True, help_text="the slug of the measured device; null on paper"
    )
    product = serializers.CharField(
        allow_null=True, help_text="the slug of the product; null if not in the catalogue"
    )
    method = serializers.ChoiceField(
        choices=Method.choices, allow_null=True, help_text="how it was measured; null on paper"
    )
    device_class = serializers.ChoiceField(choices=CLASSES, help_text="its class")
    plp = serializers.ChoiceField(choices=Plp.choices, help_text="its power-loss protection")
    capacity_bytes = serializers.IntegerField(
        allow_null=True, help_text="the marketed capacity in bytes; null if none is stated"
    )
    is_recommended = serializers.BooleanField(help_text="whether it also passes the bar for recommendations")
    throughput_mib_s = serializers.FloatField(
        allow_null=True,
        help_text="at least this many MiB/s: the most measured, or claimed for this exact capacity; null if unknown",
    )
    is_throughput_measured = serializers.BooleanField(
        help_text="whether it was measured; false for a claim, which passes on paper only"
    )
    unit_count = serializers.IntegerField(help_text="how many units were measured; 0 on paper")
    elsewhere_count = serializers.IntegerField(help_text="how many of its results were published elsewhere")
    written_bytes = serializers.IntegerField(
        allow_null=True, help_text="the endurance that it is rated for, in bytes; null if not known"
    )
    price = OfferedPriceSerializer(allow_null=True, help_text="null if none is known in the currency")
    total_price = serializers.FloatField(
        allow_null=True, help_text="of everything bought; null without a price"
    )
    findings = FindingSerializer(many=True, help_text="a sentence for each criterion")
    uncertain = serializers.ListField(child=serializers.CharField(), help_text="what is uncertain, in words")


class ShortlistSectionSerializer(serializers.Serializer):
    """The best of a list; the counts include entries that aren't shown."""

    count = serializers.IntegerField(help_text="how many fit")
    entries = ShortlistEntrySerializer(many=True, help_text="the first of those that fit")
    to_check_count = serializers.IntegerField(help_text="how many may fit, but lack a figure")
    to_check = ShortlistEntrySerializer(
        many=True, help_text="the first of those that may fit: check before buying"
    )


class RefusalSerializer(serializers.Serializer):
    """A product that doesn't fit, with one reason."""

    product = serializers.CharField(help_text="its slug")
    name = serializers.CharField(help_text="its name")
    url = serializers.URLField(help_text="its page")
    capacity_bytes = serializers.IntegerField(
        allow_null=True, help_text="the capacity that comes nearest, in bytes; null if none is known"
    )
    criterion = serializers.ChoiceField(choices=CRITERIA, help_text="what it fails")
    reason = serializers.CharField(help_text="why, for people to read")


class RelaxationSerializer(serializers.Serializer):
    """A single constraint to give up, and what that buys."""

    criterion = serializers.ChoiceField(choices=CRITERIA, help_text="what to give up")
    sentence = serializers.CharField(help_text="how, and what that buys")
    product = serializers.CharField(help_text="the slug of what it buys")
    capacity_bytes = serializers.IntegerField(
        allow_null=True, help_text="its marketed capacity in bytes; null if not known"
    )
    url = serializers.URLField(help_text="the same request without the constraint")


class ShortlistSerializer(serializers.Serializer):
    """What fits a need, what may, and why popular products don't."""

    headline = serializers.CharField(help_text="how many fit, in words")
    count = serializers.IntegerField(help_text="how many devices and products fit")
    needed_mib_s = serializers.FloatField(
        allow_null=True, help_text="MiB/s of sync writes that it has to take; null for any speed"
    )
    log_bytes = serializers.IntegerField(
        help_text="the most log it has to hold, in bytes, as /guide/how-big/ calculates it; 0 without a link"
    )
    written_bytes = serializers.IntegerField(
        help_text="bytes written to it over all its years; 0 without gb_per_day"
    )
    measured = ShortlistSectionSerializer(
        help_text="devices: measured throughput before claimed, then newer prices first, then leaderboard order"
    )
    on_paper = ShortlistSectionSerializer(help_text="by total price, recent ones first, unknown ones last")
    near_misses = RefusalSerializer(
        many=True, help_text="ruled out by speed or by size alone, the closest first"
    )
    why_not = RefusalSerializer(many=True, help_text="popular products that don't fit")
    relaxations = RelaxationSerializer(many=True, help_text="if nothing fits: what to give up, never safety")
    unknown_protection_count = serializers.IntegerField(
        help_text="products left out because no source states their protection"
    )


def _parameters() -> Iterable[OpenApiParameter]:
    for name, field in ShortlistForm.base_fields.items():
        if isinstance(field, NumberField):
            schema: dict[str, Any] = {
                "type": "number",
                "minimum": float(field.least),
                "maximum": float(field.most),
            }
        else:
            choices: Any = field
            schema = {"type": "string", "enum": [value for value, _ in choices.choices if value]}
        if name in DEFAULTS:
            default = DEFAULTS[name]
            schema["default"] = float(default) if schema["type"] == "number" else default
        yield OpenApiParameter(name, schema, description=_DESCRIPTIONS[name])


class ShortlistEndpoint(ReadEndpoint):
    """What to buy: devices and products that fit, and why popular ones don't."""

    operation_id = "shortlist"
    query = tuple(_parameters())
    record = ShortlistSerializer

    def find(self) -> Row:
        given = self.request.query_params
        stated = {name: given[name] for name in ShortlistForm.base_fields if name in given}
        form = ShortlistForm({**DEFAULTS, **stated})
        empty = [
            name for name, value in stated.items() if not value and isinstance(form.fields[name], NumberField)
        ]
        if empty:
            raise ValidationError({name: [EMPTY_NUMBER] for name in empty})
        if not form.is_valid():
            raise form_problem(form)
        return _record(find_shortlist(form.need(), today=today()), stated)


def _record(found: Shortlist, stated: dict[str, str]) -> Row:
    need = found.need
    return {
        "headline": found.headline,
        "count": found.count,
        "needed_mib_s": rounded(need.mib_s),
        "log_bytes": need.log_bytes,
        "written_bytes": need.written_bytes,
        "measured": _section(found.measured, found),
        "on_paper": _section(found.on_paper, found),
        "near_misses": [_refusal(one, found) for one in found.near_misses],
        "why_not": [_refusal(one, found) for one in found.why_not],
        "relaxations": [_relaxation(one, found, stated) for one in found.relaxations],
        "unknown_protection_count": found.unknown_protection_count,
    }


def _section(section: Section, found: Shortlist) -> Row:
    return {
        "count": section.count,
        "entries": [_entry(one, found) for one in section.entries],
        "to_check_count": section.to_check_count,
        "to_check": [_entry(one, found) for one in section.to_check],
    }


def _entry(entry: Entry, found: Shortlist) -> Row:
    option, device, product = entry.option, entry.device, entry.product
    return {
        "name": entry.name,
        "url": full_url(entry.url),
        "device": device and device.device__slug,
        "product": product and product.slug,
        "method": device and device.method,
        "device_class": device.device_class if device else product and product.device_class,
        "plp": option.plp,
        "capacity_bytes": option.capacity_bytes,
        "is_recommended": entry.is_recommended,
        "throughput_mib_s": rounded(option.throughput.mib_s),
        "is_throughput_measured": option.throughput.is_measured,
        "unit_count": option.measured.unit_count if option.measured else 0,
        "elsewhere_count": device.device__elsewhere_count if device else 0,
        "written_bytes": option.written_bytes,
        "price": _price(option.price) if option.price else None,
        "total_price": _number(total(option, found.need)),
        "findings": [_finding(one) for one in entry.findings],
        "uncertain": list(entry.uncertain),
    }


def _price(price: Price) -> Row:
    return {
        "amount": float(price.amount),
        "currency": price.currency,
        "offer": price.offer,
        "seen_on": price.seen_on,
        "age": price.age,
        "is_fresh": price.is_fresh,
        "source_url": price.source_url,
    }


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


def _finding(finding: Finding) -> Row:
    return {"criterion": finding.criterion.value, "fit": finding.fit.value, "sentence": finding.sentence}


def _refusal(one: Refusal, found: Shortlist) -> Row:
    product = found.products[one.candidate.id]
    return {
        "product": product.slug,
        "name": product.short_name,
        "url": full_url(address("product", product.slug)),
        "capacity_bytes": one.option.capacity_bytes,
        "criterion": one.reason.criterion.value,
        "reason": one.reason.sentence,
    }


def _relaxation(one: Relaxation, found: Shortlist, stated: dict[str, str]) -> Row:
    changed = {**stated, **one.changes}
    return {
        "criterion": one.criterion.value,
        "sentence": one.sentence,
        "product": found.products[one.candidate.id].slug,
        "capacity_bytes": one.option.capacity_bytes,
        "url": full_url(with_query(address("api-shortlist"), **changed)),
    }
