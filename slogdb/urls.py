"""The site's root URLs."""

from django.contrib import admin
from django.urls import include, path

from results.accounts.mfa import read_keys_with_care

read_keys_with_care()  # before the library's pages; workers have no pages and needn't load it

urlpatterns = [
    path("api/v1/", include("results.api_urls")),
    path("admin/", admin.site.urls),
    path("account/", include("allauth.urls")),
    path("", include("results.urls")),
]

handler400 = "results.core.pages.bad_request"
handler404 = "results.core.pages.not_found"
