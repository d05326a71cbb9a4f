"""Where each part of the site lives."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("api/v1/", include("results.api.urls")),
    path("admin/", admin.site.urls),
    path("account/", include("allauth.urls")),
    path("", include("results.web.urls")),
]

handler400 = "results.web.errors.bad_request"
handler404 = "results.web.errors.not_found"
