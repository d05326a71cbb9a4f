"""Who may access what: a row for each name of the URL configuration, by what its view declares and its area.

A row lists, for each method that a URL accepts, who has access. What a page's decorators or an endpoint's class
declare needs no row here: a page that everyone may read, a member's or moderator's page with a form, a public read of
the API. Whatever else lets people in is listed; a view that declares nothing may let in nobody.
"""

import re
from collections.abc import Mapping

from results.api.lists import TableEndpoint
from results.api.views import PrivateRead, ReadEndpoint
from results.core.parameters import DECLARED
from results.core.security.members import POSTED_FROM, Audience
from tests.addresses import Route

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PUBLIC = ("anonymous", "owner", "other", "moderator", "admin")
SIGNED_IN = ("owner", "other", "moderator", "admin")
OWNER = ("owner",)
MODERATORS = ("moderator", "admin")
ADMIN = ("admin",)

Row = Mapping[str, tuple[str, ...]]
READ: Row = {"GET": PUBLIC}
FORM: Row = {"GET": PUBLIC, "POST": PUBLIC}
MAY = {Audience.MEMBERS: SIGNED_IN, Audience.MODERATORS: MODERATORS, Audience.ADMINISTRATORS: ADMIN}
# The audience of an area's pages, and of pages outside these areas that aren't public
AUDIENCES = {"account": Audience.MEMBERS, "moderation": Audience.MODERATORS}
OTHER_AUDIENCES = {"product-price": Audience.MEMBERS, "operator": Audience.ADMINISTRATORS}

OPEN_FORMS = {"submit", "check", "used-drive", "report"}
OPEN_PAGES = {"healthz", "readyz", "api-docs"}  # without parameters to declare
READ_ONLY = {
    "account-results", "account-prices", "account-archive", "moderation", "moderation-imports", "moderation-log",
    "operator",
}  # fmt: skip
# Pages of the library. It redirects before it checks the method, and treats a PUT as a POST; CSRF is checked first.
LIBRARY_DOORS = {
    "account_login", "account_logout", "account_signup", "account_reset_password",
    "account_reset_password_from_key", "account_email_verification_sent", "account_confirm_login_code",
    "mfa_authenticate", "mfa_login_webauthn", "socialaccount_signup", "account/social/signup/",
    "account_inactive", "account_reset_password_done", "account_reset_password_from_key_done",
    "socialaccount_login_cancelled", "socialaccount_login_error", "account/social/login/cancelled/",
    "account/social/login/error/", "account/social/connections/",
    "openid_connect_login", "openid_connect_callback",
}  # fmt: skip
# Pages of the admin that moderators may open as well; forms of other tables are for administrators
STAFF = re.compile(
    r"admin:(index|logout|password_change|password_change_done|autocomplete|jsi18n|view_on_site|app_list|login)"
    r"|admin:results_submission_\w+"
    r"|admin/[\w/]+/<path:object_id>/"  # it only redirects to the form, which checks permission
    r"|admin/\(\?P<url>\.\*\)\$"
)


def is_library_page(route: Route) -> bool:
    """Whether a library made the page: libraries handle methods their own way; our own URL names have hyphens."""
    is_named_by_us = re.match(r"account(-|$)", route.name) and route.name != "account-reauthenticate-code"
    return route.area == "account" and not is_named_by_us


def permissions(route: Route) -> Row:
    """Who may send which methods to a page."""
    if route.area == "admin":
        return dict.fromkeys(METHODS, MODERATORS if STAFF.fullmatch(route.name) else ADMIN)
    if is_library_page(route):
        return dict.fromkeys(METHODS, PUBLIC if route.name in LIBRARY_DOORS else SIGNED_IN)
    if route.audience is None:
        if route.name in OPEN_FORMS:
            return FORM
        return READ if hasattr(route.view, DECLARED) or route.name in OPEN_PAGES else {}
    may = MAY[route.audience]
    if route.name in READ_ONLY:
        return {"GET": may}
    if route.area == "account" and "<slug:public_id>" in route.pattern:
        # A GET of a POST-only URL redirects to its page, which checks ownership
        return {"GET": may if hasattr(route.view, POSTED_FROM) else OWNER, "POST": OWNER}
    return {"GET": may, "POST": may}


# The API: who may, by what their key is for. "none" sends no key.
ANYBODY = ("none", "reads", "submits", "other")
READERS = ("reads", "other")
SENDERS = ("submits", "other")
READS = (ReadEndpoint, TableEndpoint)  # public, unless they are private reads, too
SENDERS_OR_NOBODY = ("none", "submits", "other")
OWN_SENDER = ("submits",)
API: dict[str, Row] = {  # the other reads are public
    "api-device": {"GET": ANYBODY},
    "api-docs": {"GET": ANYBODY},
    "api-result": {"GET": ANYBODY, "PATCH": OWN_SENDER},
    "api-submission": {"GET": ANYBODY, "DELETE": OWN_SENDER},
    "api-reports": {"POST": SENDERS_OR_NOBODY},
    "api-submissions": {"POST": SENDERS_OR_NOBODY},
    "api-parse": {"POST": SENDERS_OR_NOBODY},
    "api-lookup": {"GET": ANYBODY, "POST": ANYBODY},
    "api-check": {"POST": ANYBODY},
    "api-drive-check": {"POST": ANYBODY},
    "api-withdraw": {"POST": OWN_SENDER},
    "api-restore": {"POST": OWN_SENDER},
    "api-claims": {"POST": SENDERS},
    "api-me": {"GET": READERS},
    "api-own-submissions": {"GET": READERS},
    "api-schema": {"GET": (*ANYBODY, "revoked", "expired", "banned", "guessed")},  # it ignores keys
}


def api_permissions(route: Route) -> Row:
    """Whose key may send which methods to an API endpoint."""
    if route.name in API:
        return API[route.name]
    view = getattr(route.view, "cls", object)
    return {"GET": ANYBODY} if issubclass(view, READS) and not issubclass(view, PrivateRead) else {}
