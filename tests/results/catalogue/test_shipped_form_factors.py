"""The form factors of every product that ships, as pages list them: each once, and no interface among them."""

import re

import pytest

from results.advice.criteria import Need, explain
from results.advice.form_factor import SLOTS
from results.catalogue.purchase_options import load_facts
from results.models import Product

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped")]
INTERFACE = re.compile(r"\bNVMe|\bSATA|\bSAS\b|\bDDR|Gb/s|PCIe \d|\bx\d\b")
CARD = re.compile(r"\bcard\b|HHHL")
LISTED = re.compile(r"^(?:Fits [^:]*|Fits .* in one of its forms): (?:comes as )?(?P<forms>.*)$")


def kind_of(form):
    """What makes two forms the same to a reader."""
    if CARD.search(form):
        return "card"
    if re.search(r"\bU\.[23]\b|2\.5-inch", form):
        return "2.5-inch"
    return re.sub(r" \(.*\)", "", form)


def forms_in(text):
    return re.split(r"[,;] (?![^(]*\))| and | or ", text)


def test_no_list_repeats_a_form_or_names_an_interface(subtests):
    facts = load_facts(list(Product.objects.values_list("pk", flat=True)))
    checked = 0
    for fact in facts.values():
        for option in fact.on_paper():
            texts = [fact.product.form_factors, option.form_factors]
            found = [explain(option, Need(slot=slot)) for slot in SLOTS]
            texts += [
                match["forms"] for all_of in found for f in all_of if (match := LISTED.match(f.sentence))
            ]
            for text in filter(None, texts):
                with subtests.test(product=fact.product.slug, text=text):
                    kinds = [kind_of(form) for form in forms_in(text)]
                    assert len(kinds) == len(set(kinds))
                    assert not INTERFACE.search(text)
                    checked += 1
    assert checked > 500
