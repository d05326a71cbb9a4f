"""A device by the slug in an address, whatever spelling that was made of, while a result of it is published."""

from functools import cache
from typing import NamedTuple

from django.http import Http404, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect

from results.models import Device
from results.ranking.changes import IS_SHOWN, STATE_OF_RESULTS
from results.ranking.compiled import Statement
from results.ranking.kept_ends import STATES
from results.ranking.read_models import compile_instances, read_beside, read_instances
from results.web.verdict import CLASS_RATINGS

_SLUG = "a slug"  # stands in the statement for the one that is asked for
_WITH = ("product", "product__vendor")


class WholeDevice(NamedTuple):
    """A device with its product, and what tells whether all else that is kept for its page still stands."""

    device: Device
    results_state: int | None  # results.ranking.changes
    board_states: str | None  # results.ranking.kept_ends
    class_ratings: str | None  # results.web.verdict


def find_device(slug: str) -> Device:
    """The device of this slug, or the one that a spelling of this slug was merged into; raises Http404."""
    for found in read_instances(Device, _by_slug().about({_SLUG: _checked(slug)}), *_WITH):
        return found
    return find_merged(slug)


def find_whole(slug: str) -> WholeDevice | None:
    """The device of this slug with what its page asks besides, in one query; None where none has just this slug."""
    for device, beside in read_beside(Device, _whole_by_slug().about({_SLUG: _checked(slug)}), *_WITH):
        return WholeDevice(device, *beside)
    return None


def find_merged(slug: str) -> Device:
    """The device that a spelling of this slug was merged into; raises Http404."""
    shown = Device.objects.filter(IS_SHOWN).select_related("product__vendor")
    return get_object_or_404(shown, aliases__slug=slug)


def _checked(slug: str) -> str:
    if "\0" in slug:  # which PostgreSQL takes in no text
        raise Http404
    return slug


@cache
def _by_slug() -> Statement:
    return compile_instances(Device.objects.filter(IS_SHOWN, slug=_SLUG), *_WITH)


@cache
def _whole_by_slug() -> Statement:
    beside = {"results_state": STATE_OF_RESULTS, "board_states": STATES, "class_ratings": CLASS_RATINGS}
    return compile_instances(Device.objects.filter(IS_SHOWN, slug=_SLUG), *_WITH, beside=beside)


def redirect_to_device(
    view_name: str, device: Device
) -> HttpResponseRedirect | HttpResponsePermanentRedirect:
    """For good: to the address that `view_name` has under the device's own slug."""
    return redirect(view_name, device.slug, permanent=True)
