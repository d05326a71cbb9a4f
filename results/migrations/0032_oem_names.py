"""The names under which others sell a product."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0031_claim_variant'),
    ]

    operations = [
        migrations.AddField(
            model_name='product',
            name='oem_names',
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
    ]
