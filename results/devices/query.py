"""Look up a device with published results by its slug, or by that of a merged spelling."""

from django.http import Http404, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect

from results.models import Device


def find_device(slug: str) -> Device:
    """The device with this slug, or the one that a spelling with this slug was merged into; raises Http404.

    Its product and vendor are loaded. One query, two for a spelling.
    """
    if "\0" in slug:  # PostgreSQL accepts no NUL in a text
        raise Http404
    shown = Device.objects.shown().select_related("product__vendor")
    return shown.filter(slug=slug).first() or get_object_or_404(shown, aliases__slug=slug)


def redirect_to_device(
    view_name: str, device: Device
) -> HttpResponseRedirect | HttpResponsePermanentRedirect:
    """Redirect permanently to `view_name` with the device's own slug."""
    return redirect(view_name, device.slug, permanent=True)
