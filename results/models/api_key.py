"""Keys with which a member's programs use the API."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from results.models import lengths
from results.models.choices import Scope


class ApiKey(models.Model):
    """A key: shown once, kept as a digest."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=lengths.KEY_NAME)
    prefix = models.CharField(max_length=12)  # the beginning of the key, by which its owner tells it
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope))
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="key_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(scopes__len__gte=1) & models.Q(scopes__contained_by=Scope.values),
                name="key_scopes_are_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.name})"
