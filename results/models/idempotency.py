"""Answers that were given to requests with an Idempotency-Key, to be given again."""

from django.db import models
from django.db.models.fields.json import KT


class RememberedAnswer(models.Model):
    """What a sender was answered under a key; the same request again gets the same answer."""

    digest = models.CharField(max_length=64, primary_key=True)  # of the sender, the endpoint and the key
    request_digest = models.CharField(
        max_length=64
    )  # of the body: another one under the same key is a mistake
    status = models.PositiveSmallIntegerField()
    headers = models.JSONField(default=dict)
    body = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        indexes = [models.Index(KT("body__id"), name="answer_about")]  # for whoever erases what it tells of

    def __str__(self) -> str:
        return f"{self.status} to {self.digest[:8]}"
