"""What no password here may be made of: the words that everybody here would think of first."""

from django.core.exceptions import ValidationError

WORDS = ("slogdb", "diskinfo", "smartctl", "truenas", "freenas", "benchmark", "password")
SHORTEST_REST = 8


class SiteWordsValidator:
    """Refuses a password of which little is left without those words."""

    def validate(self, password: str, user: object = None) -> None:  # noqa: ARG002 - Django's signature
        rest = password.lower()
        for word in WORDS:
            rest = rest.replace(word, "")
        if len(rest) < min(SHORTEST_REST, len(password)):
            raise ValidationError(self.get_help_text(), code="password_of_site_words")

    def get_help_text(self) -> str:
        return f"Your password can't be made of the words {', '.join(WORDS)}."
