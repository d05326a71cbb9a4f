"""{% source openzfs.logbias %}: where a fact about OpenZFS can be checked, and which release has it."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from results.advice.openzfs import Fact

register = template.Library()


@register.simple_tag
def source(fact: Fact) -> SafeString:
    return format_html('<a href="{}">{}</a>, {}', fact.url, fact.source, fact.in_release)
