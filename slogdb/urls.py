"""The site's root URLs."""

from django.contrib import admin
from django.urls import include, path

from results.accounts.forum import forum_login
from results.accounts.mfa import replace_library_class
from results.accounts.step_up import password_change, password_set

replace_library_class()  # before the library's pages; workers have no pages and needn't load it

urlpatterns = [
    path("api/v1/", include("results.api_urls")),
    path("admin/", admin.site.urls),
    # Before the library's own of the same names:
    path("account/password/change/", password_change, name="account_change_password"),
    path("account/password/set/", password_set, name="account_set_password"),
    path("account/oidc/<provider_id>/login/", forum_login, name="openid_connect_login"),
    path("account/", include("allauth.urls")),
    path("", include("results.urls")),
]

handler400 = "results.core.pages.bad_request"
handler404 = "results.core.pages.not_found"
handler429 = "results.core.pages.too_many_requests"  # allauth's
