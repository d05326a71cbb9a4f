"""A device by the slug in an address, whatever spelling that was made of."""

from functools import cache

from django.http import Http404, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect

from results.models import Device, DeviceAlias
from results.ranking.compiled import Statement
from results.ranking.read_models import compile_instances, read_instances

_SLUG = "a slug"  # stands in the statement for the one that is asked for
_WITH = ("product", "product__vendor")


def find_device(slug: str) -> Device:
    """The device of this slug, or the one that a spelling of this slug was merged into; raises Http404."""
    if "\0" in slug:  # which PostgreSQL takes in no text
        raise Http404
    for found in read_instances(Device, _by_slug().about({_SLUG: slug}), *_WITH):
        return found
    aliases = DeviceAlias.objects.select_related("device__product__vendor")
    return get_object_or_404(aliases, slug=slug).device


@cache
def _by_slug() -> Statement:
    return compile_instances(Device.objects.filter(slug=_SLUG), *_WITH)


def redirect_to_device(
    view_name: str, device: Device
) -> HttpResponseRedirect | HttpResponsePermanentRedirect:
    """For good: to the address that `view_name` has under the device's own slug."""
    return redirect(view_name, device.slug, permanent=True)
