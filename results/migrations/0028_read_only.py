"""The read-only switch, and its entries in the log."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0027_home_draws_ranked_results'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='auditentry',
            name='audit_action_is_known',
        ),
        migrations.AddField(
            model_name='dataversion',
            name='read_only_reason',
            field=models.CharField(blank=True, db_default='', default='', max_length=300),
        ),
        migrations.AddField(
            model_name='dataversion',
            name='read_only_since',
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='action',
            field=models.CharField(choices=[('approved', 'Approved'), ('held', 'Held'), ('rejected', 'Rejected'), ('withdrawn', 'Withdrawn'), ('erased', 'Erased'), ('restored', 'Restored'), ('claimed', 'Claimed'), ('report_closed', 'Closed a report'), ('merged', 'Merged devices'), ('overruled', 'Overruled a class'), ('pinned', 'Pinned a representative'), ('banned', 'Banned a member'), ('unbanned', 'Lifted a ban'), ('imported', 'Imported a thread'), ('notes_removed', 'Removed the notes'), ('network_banned', 'Banned a network'), ('network_unbanned', 'Lifted the ban of a network'), ('moderator_added', 'Made a moderator'), ('moderator_removed', 'Removed a moderator'), ('factor_reset', 'Reset second factors'), ('account_closed', 'Closed an account on request'), ('price_accepted', 'Accepted a price'), ('price_rejected', 'Rejected a price'), ('read_only_on', 'Made the site read-only'), ('read_only_off', 'Ended read-only')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='auditentry',
            constraint=models.CheckConstraint(condition=models.Q(('action__in', ['approved', 'held', 'rejected', 'withdrawn', 'erased', 'restored', 'claimed', 'report_closed', 'merged', 'overruled', 'pinned', 'banned', 'unbanned', 'imported', 'notes_removed', 'network_banned', 'network_unbanned', 'moderator_added', 'moderator_removed', 'factor_reset', 'account_closed', 'price_accepted', 'price_rejected', 'read_only_on', 'read_only_off'])), name='audit_action_is_known'),
        ),
    ]
