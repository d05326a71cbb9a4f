"""A device by the slug in an address, whatever spelling that was made of, while a result of it is published."""

from django.http import Http404, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect

from results.models import Device


def find_device(slug: str) -> Device:
    """The device of this slug, or the one that a spelling of this slug was merged into; raises Http404.

    It comes with its product and vendor. One query, two for a spelling.
    """
    if "\0" in slug:  # which PostgreSQL takes in no text
        raise Http404
    shown = Device.objects.shown().select_related("product__vendor")
    return shown.filter(slug=slug).first() or get_object_or_404(shown, aliases__slug=slug)


def redirect_to_device(
    view_name: str, device: Device
) -> HttpResponseRedirect | HttpResponsePermanentRedirect:
    """For good: to the address that `view_name` has under the device's own slug."""
    return redirect(view_name, device.slug, permanent=True)
