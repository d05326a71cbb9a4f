"""Messages for the next page, in a cookie: visitors without an account need no session for them."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage


class MessageCookies(CookieStorage):
    """Django's, with the prefix of the site's other cookies."""

    cookie_name = f"{settings.COOKIE_PREFIX}messages"
