"""Prices that an operator loads stay beside the shipped ones, each is stored once, and the newest are marked."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0034_facts_for_buyers'),
    ]

    operations = [
        # The next load of the catalogue brings them back, each once and with the newest marked.
        migrations.RunSQL("DELETE FROM results_pricesighting", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='pricesighting',
            name='price_is_positive',
        ),
        migrations.RemoveConstraint(
            model_name='pricesighting',
            name='price_was_seen_on_a_date',
        ),
        migrations.AddField(
            model_name='pricesighting',
            name='is_added',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='pricesighting',
            name='newest_as',
            field=models.CharField(blank=True, choices=[('new', 'new'), ('used', 'used')], max_length=4),
        ),
        migrations.AlterField(
            model_name='pricesighting',
            name='condition',
            field=models.CharField(blank=True, choices=[('new', 'new'), ('used', 'used'), ('refurbished', 'refurbished'), ('launch_msrp', 'list price at launch')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='pricesighting',
            constraint=models.UniqueConstraint(fields=('product', 'capacity_bytes', 'price', 'currency', 'condition', 'seller_kind', 'seen_on', 'source_url'), name='price_seen_once_a_source', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='pricesighting',
            constraint=models.UniqueConstraint(condition=models.Q(('newest_as', ''), _negated=True), fields=('product', 'capacity_bytes', 'currency', 'newest_as'), name='price_newest_of_an_offer', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='pricesighting',
            constraint=models.CheckConstraint(condition=models.Q(('price__gt', 0), ('price__lte', 2000000)), name='price_is_positive'),
        ),
        migrations.AddConstraint(
            model_name='pricesighting',
            constraint=models.CheckConstraint(condition=models.Q(('seen_on__gte', '1980'), ('seen_on__lt', '2101'), ('seen_on__regex', '^\\d{4}(-\\d{2}(-\\d{2})?)?$')), name='price_was_seen_on_a_date'),
        ),
    ]
