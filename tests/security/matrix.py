"""Who gets where: a row for every name of the URL configuration. A name without a row fails the test.

A row says, for each method that an address takes, who is let in; the rest are told what `REFUSALS` says.
"""

from collections.abc import Mapping

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PUBLIC = ("anonymous", "owner", "other", "moderator", "admin")
SIGNED_IN = ("owner", "other", "moderator", "admin")
OWNER = ("owner",)
MODERATORS = ("moderator", "admin")
ADMIN = ("admin",)

Row = Mapping[str, tuple[str, ...]]
READ: Row = {"GET": PUBLIC}
FORM: Row = {"GET": PUBLIC, "POST": PUBLIC}
OWN: Row = {"GET": SIGNED_IN, "POST": SIGNED_IN}
BUTTON: Row = {"GET": SIGNED_IN, "POST": OWNER}  # a GET leads to the button's page, which asks whose it is
MODERATE: Row = {"GET": MODERATORS, "POST": MODERATORS}

PAGES: dict[str, Row] = {
    **dict.fromkeys(
        (
            "home", "home-preview", "search", "shortlist", "leaderboard", "leaderboard-csv", "leaderboard-export",
            "leaderboard-preview", "device", "device-chart", "device-badge", "device-preview",
            "product", "drive", "part", "products", "pool",
            "results", "result", "result-chart", "result-picture", "result-preview",
            "compare-results", "compare-results-preview", "compare-sets", "compare-set", "compare-set-picture",
            "compare-set-preview", "compare", "compare-chart", "compare-preview", "commands",
            "compare-grids", "survey", "survey-chart", "sustained", "workload", "traits", "about", "guide",
            "guide-need", "guide-size", "guide-lifetime", "guide-page", "exports", "export-file", "api-docs",
            "submitter", "feed", "pair-feed", "set-feed", "oembed",
            "robots", "sitemap", "sitemap-pages", "sitemap-slice", "healthz",
            "readyz", "security-txt",
        ),
        READ,
    ),
    "submit": FORM,
    "used-drive": FORM,
    "report": FORM,
    "product-price": OWN,
    "operator": {"GET": ADMIN},
}  # fmt: skip

ACCOUNT: dict[str, Row] = {
    "account": OWN,
    "account-results": {"GET": SIGNED_IN},
    "account-result": {"GET": OWNER, "POST": OWNER},
    **dict.fromkeys(
        ("account-withdraw", "account-restore", "account-erase", "account-forget-unit", "account-name"),
        BUTTON,
    ),
    "account-claim": OWN,
    "account-claim-carried": OWN,
    "account-keys": OWN,
    "account-key-revoke": OWN,  # whose key it is decides: see test_a_key_is_revoked_by_its_owner
    "account-prices": {"GET": SIGNED_IN},
    "account-price-delete": OWN,  # whose price it is decides: see test_a_price_is_deleted_by_its_reporter
    "account-data": OWN,
    "account-archive": {"GET": SIGNED_IN},
}

# The library's own. It leads on before it looks at the method, and takes a PUT for a POST; CSRF stands before both.
_ITS_DOOR: Row = dict.fromkeys(METHODS, PUBLIC)
_ITS_OWN: Row = dict.fromkeys(METHODS, SIGNED_IN)
LIBRARY: dict[str, Row] = {
    **dict.fromkeys(
        (
            "account_login", "account_logout", "account_signup", "account_reset_password",
            "account_reset_password_from_key", "account_email_verification_sent", "account_confirm_login_code",
            "mfa_authenticate", "mfa_login_webauthn", "socialaccount_signup", "account/social/signup/",
            "account_inactive", "account_reset_password_done", "account_reset_password_from_key_done",
            "socialaccount_login_cancelled", "socialaccount_login_error", "account/social/login/cancelled/",
            "account/social/login/error/", "account/social/connections/",
            "openid_connect_login", "openid_connect_callback",
        ),
        _ITS_DOOR,
    ),
    **dict.fromkeys(
        (
            "account-reauthenticate-code",
            "account_reauthenticate", "account_email", "account_change_password", "account_set_password",
            "mfa_index", "mfa_reauthenticate", "mfa_activate_totp", "mfa_deactivate_totp",
            "mfa_view_recovery_codes", "mfa_generate_recovery_codes", "mfa_download_recovery_codes",
            "mfa_list_webauthn", "mfa_add_webauthn", "mfa_reauthenticate_webauthn", "socialaccount_connections",
            "usersessions_list",
        ),
        _ITS_OWN,
    ),
    "mfa_remove_webauthn": _ITS_OWN,
    "mfa_edit_webauthn": _ITS_OWN,
}  # fmt: skip

MODERATION: dict[str, Row] = {
    "moderation": {"GET": MODERATORS},
    "moderation-imports": {"GET": MODERATORS},
    "moderation-import-batch": MODERATE,
    "moderation-log": {"GET": MODERATORS},
    "moderation-item": MODERATE,
    "moderation-import": MODERATE,
    "moderation-device": MODERATE,
    "moderation-member": MODERATE,
    "moderation-price": MODERATE,
}

_STAFF: Row = dict.fromkeys(METHODS, MODERATORS)
_ROOT: Row = dict.fromkeys(METHODS, ADMIN)
_TABLES = (
    "auth_group", "account_emailaddress", "mfa_authenticator", "socialaccount_socialapp",
    "socialaccount_socialtoken", "socialaccount_socialaccount", "usersessions_usersession", "results_device",
    "results_devicealias", "results_representativepin", "results_product", "results_vendor", "results_firmware",
    "results_result", "results_deviceranking", "results_caveat", "results_claim", "results_lifecycle",
    "results_pricesighting",
)  # fmt: skip
_STEPS = ("changelist", "add", "history", "delete", "change")
ADMINS: dict[str, Row] = {
    **dict.fromkeys(
        (
            "admin:index", "admin:logout", "admin:password_change", "admin:password_change_done",
            "admin:autocomplete", "admin:jsi18n", "admin:view_on_site", "admin:app_list", "admin:login",
            "admin/(?P<url>.*)$",
            *(f"admin:results_submission_{step}" for step in _STEPS),
            "admin/results/submission/<path:object_id>/",
        ),
        _STAFF,
    ),
    **dict.fromkeys([f"admin:{table}_{step}" for table in _TABLES for step in _STEPS], _ROOT),
    **dict.fromkeys(
        [f"admin/{table.replace('_', '/', 1)}/<path:object_id>/" for table in _TABLES], _STAFF
    ),  # it only leads to the form, which asks
}  # fmt: skip

ROWS: dict[str, dict[str, Row]] = {
    "": PAGES,
    "account": {**ACCOUNT, **LIBRARY},
    "moderation": MODERATION,
    "admin": ADMINS,
}

# The API: who may, by what their key is for. "none" brings no key.
ANYBODY = ("none", "reads", "submits", "other")
READERS = ("reads", "other")
SENDERS = ("submits", "other")
SENDERS_OR_NOBODY = ("none", "submits", "other")
OWN_SENDER = ("submits",)
_READ_ONLY: Row = {"GET": ANYBODY}
API: dict[str, Row] = {
    **dict.fromkeys(
        (
            "api-compare", "api-compare-results", "api-compare-sets", "api-compare-set", "api-compare-pairs",
            "api-compare-grids", "api-grid-remarks",
            "api-devices", "api-device", "api-device-firmware", "api-products", "api-product",
            "api-pools", "api-pool", "api-sustained", "api-workload",
            "api-leaderboard", "api-classes", "api-bands", "api-results", "api-root", "api-search",
            "api-shortlist", "api-access-patterns", "api-traits",
        ),
        _READ_ONLY,
    ),
    "api-result": {"GET": ANYBODY, "PATCH": OWN_SENDER},
    "api-submission": {"GET": ANYBODY, "DELETE": OWN_SENDER},
    "api-reports": {"POST": SENDERS_OR_NOBODY},
    "api-submissions": {"POST": SENDERS_OR_NOBODY},
    "api-parse": {"POST": SENDERS_OR_NOBODY},
    "api-withdraw": {"POST": OWN_SENDER},
    "api-restore": {"POST": OWN_SENDER},
    "api-claims": {"POST": SENDERS},
    "api-me": {"GET": READERS},
    "api-own-submissions": {"GET": READERS},
    "api-schema": {"GET": (*ANYBODY, "revoked", "expired", "banned", "guessed")},  # it looks at no key
}  # fmt: skip
