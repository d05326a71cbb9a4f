"""The marked price of a capacity is the one that all pages show; `load_catalogue` marks all products anew."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0023_pairs'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='pricesighting',
            name='price_cheapest_first',
        ),
        migrations.RemoveConstraint(
            model_name='pricesighting',
            name='price_newest_of_an_offer',
        ),
        migrations.RemoveConstraint(
            model_name='pricesighting',
            name='price_of_a_line_by_offer',
        ),
        migrations.RenameField(
            model_name='pricesighting',
            old_name='newest_as',
            new_name='shown_as',
        ),
        migrations.AddIndex(
            model_name='pricesighting',
            index=models.Index(condition=models.Q(('shown_as', ''), _negated=True), fields=['product', 'currency', 'price'], name='price_cheapest_first'),
        ),
        migrations.AddConstraint(
            model_name='pricesighting',
            constraint=models.UniqueConstraint(condition=models.Q(('shown_as', ''), _negated=True), fields=('product', 'capacity_bytes', 'currency', 'shown_as'), name='price_shown_of_an_offer', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='pricesighting',
            constraint=models.UniqueConstraint(condition=models.Q(('is_offer_price', True)), fields=('currency', 'product', 'shown_as'), name='price_of_a_line_by_offer'),
        ),
    ]
