"""The variant of a product line that a claim is about."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0030_removed_figures_may_come_back'),
    ]

    operations = [
        migrations.AddField(
            model_name='claim',
            name='variant',
            field=models.CharField(blank=True, db_default='', default='', max_length=60),
        ),
        migrations.AlterField(
            model_name='claim',
            name='stated_by',
            field=models.CharField(choices=[('maker', 'maker'), ('reviewer', 'reviewer'), ('distributor', 'distributor'), ('competitor', 'competitor'), ('secondary', 'secondary source')], max_length=20),
        ),
    ]
