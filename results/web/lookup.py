"""A device by the slug in an address, whatever spelling that was made of."""

from django.http import HttpResponsePermanentRedirect, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect

from results.models import Device, DeviceAlias


def find_device(slug: str) -> Device:
    """The device of this slug, or the one that a spelling of this slug was merged into; raises Http404."""
    found = Device.objects.select_related("product__vendor").filter(slug=slug).first()
    if found is not None:
        return found
    aliases = DeviceAlias.objects.select_related("device__product__vendor")
    return get_object_or_404(aliases, slug=slug).device


def redirect_to_device(
    view_name: str, device: Device
) -> HttpResponseRedirect | HttpResponsePermanentRedirect:
    """For good: to the address that `view_name` has under the device's own slug."""
    return redirect(view_name, device.slug, permanent=True)
