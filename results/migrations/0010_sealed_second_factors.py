"""Encrypts the secrets of second factors that were set before the site encrypted them."""

from django.db import migrations

from results.accounts.mfa import seal_second_factors


def seal(apps, schema_editor):
    seal_second_factors(apps.get_model("mfa", "Authenticator").objects.using(schema_editor.connection.alias))


class Migration(migrations.Migration):
    dependencies = [
        ("results", "0009_closed_accounts"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [migrations.RunPython(seal, migrations.RunPython.noop)]
