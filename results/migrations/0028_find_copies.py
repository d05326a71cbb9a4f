"""Index a device's results by their 4 KiB latency, to find copies."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0027_trust_data'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='result',
            name='result_of_device',
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(models.F('device'), models.F('method'), models.F('latency_us__3'), name='result_of_device'),
        ),
    ]
