"""What home shows beside the chart: answers to usual needs, and what nobody has measured yet."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Exists, F, Func, IntegerField, OuterRef, Q, QuerySet

from results.advice.criteria import Criterion, Need
from results.catalogue.drive_card import DriveCard
from results.core.addresses import address, with_query
from results.core.today import today
from results.models import Device, PriceSighting, Product
from results.models.choices import PROTECTED
from results.ranking.standing import main_rows
from results.search.products import find_products
from results.shortlist.forms import DEFAULTS, ShortlistForm
from results.shortlist.page import entry_card
from results.shortlist.query import Entry, find_answers

MAX_WANTED = 6
_WANTED_SINCE_YEARS = 2
_WHY = (Criterion.SPEED, Criterion.LIFE, Criterion.PROTECTION)


@dataclass(frozen=True, slots=True)
class Usual:
    """A usual need: its name, what it stands for, and the shortlist's parameters."""

    title: str
    words: str
    parameters: Mapping[str, str]


USUAL_NEEDS = (
    Usual("Cheap", "for 1 GbE, under $100", {"link_gbit": "1", "budget": "100"}),
    Usual("10 GbE", "half of the link is sync writes, at any price", {"link_gbit": "10"}),
    Usual(
        "Busy server",
        "for 2.5 GbE, 1 TB of sync writes a day for 5 years",
        {"link_gbit": "2.5", "gb_per_day": "1000"},
    ),
)


class UsualAnswer(NamedTuple):
    """A usual need with the shortlist's first choice, if anything fits."""

    usual: Usual
    need: Need
    entry: Entry | None

    @property
    def more_url(self) -> str:
        return f"{with_query(address('shortlist'), **self.usual.parameters)}#answer"

    @property
    def card(self) -> DriveCard | None:
        if self.entry is None:
            return None
        reasons = {finding.criterion: finding.sentence for finding in self.entry.findings}
        why = next((reasons[criterion] for criterion in _WHY if criterion in reasons), "")
        return entry_card(self.entry, self.need, why)


def usual_answers() -> list[UsualAnswer]:
    forms = [ShortlistForm({**DEFAULTS, **usual.parameters}) for usual in USUAL_NEEDS]
    for form in forms:
        form.full_clean()
    needs = [form.need() for form in forms]
    found = find_answers(needs)
    return [UsualAnswer(*answer) for answer in zip(USUAL_NEEDS, needs, found, strict=True)]


def find_ranked(text: str) -> list[str]:
    """The slugs of the ranked devices of the product that a text names, or that call themselves so.

    Two queries, and those of the names once for each version of the data.
    """
    named = Q(device__product=find_products(text).match or 0) | Q(device__model_name__iexact=text)
    return list(main_rows().filter(named).values_list("device__slug", flat=True))


def most_wanted() -> QuerySet[Product]:
    """The best known of the protected products without a result, by their number of names; sold ones first."""
    measured = Device.objects.shown().filter(product=OuterRef("pk"))
    since = str(today().year - _WANTED_SINCE_YEARS)
    sold = PriceSighting.objects.filter(product=OuterRef("pk"), seen_on__gte=since)
    names = Func(F("aliases"), function="cardinality", output_field=IntegerField())
    unmeasured = Product.objects.filter(~Exists(measured), plp__in=PROTECTED).select_related("vendor")
    ranked = unmeasured.annotate(is_sold=Exists(sold), names=names).order_by("-is_sold", "-names", "slug")
    return ranked[:MAX_WANTED]
