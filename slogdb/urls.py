"""Where each part of the site lives."""

from django.contrib import admin
from django.urls import include, path

from results.web.mfa_keys import read_keys_with_care

read_keys_with_care()  # before the library's pages: workers, which have none, need not load it

urlpatterns = [
    path("api/v1/", include("results.api.urls")),
    path("admin/", admin.site.urls),
    path("account/", include("allauth.urls")),
    path("", include("results.web.urls")),
]

handler400 = "results.web.errors.bad_request"
handler404 = "results.web.errors.not_found"
