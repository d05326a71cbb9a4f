"""Finds what was answered about a submission that is erased without reading all answers of a day."""

from django.db import migrations, models
from django.db.models.fields.json import KT


class Migration(migrations.Migration):
    dependencies = [("results", "0024_named_by_older_code")]

    operations = [
        migrations.AddIndex(
            model_name="rememberedanswer",
            index=models.Index(KT("body__id"), name="answer_about"),
        ),
    ]
