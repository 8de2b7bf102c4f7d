import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_second_factor"),
        ("annotation", "0001_initial"),
        ("sampling", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="BatchWithdrawal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_withdrawn", models.BooleanField()),
                ("reason", models.CharField(max_length=1000)),
                ("withdrawn_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ["pk"],
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="batch",
            name="is_withdrawn",
            field=models.BooleanField(default=False),
        ),
        migrations.AddConstraint(
            model_name="batch",
            constraint=models.CheckConstraint(
                condition=models.Q(("is_withdrawn", False), ("state", "closed"), _connector="OR"),
                name="annotation_batch_closed_when_withdrawn",
            ),
        ),
        migrations.AddField(
            model_name="batchwithdrawal",
            name="batch",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="withdrawals",
                to="annotation.batch",
            ),
        ),
        migrations.AddField(
            model_name="batchwithdrawal",
            name="replaces",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="replaced_by",
                to="annotation.batchwithdrawal",
            ),
        ),
        migrations.AddField(
            model_name="batchwithdrawal",
            name="withdrawn_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="batchwithdrawal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("replaces", None)),
                fields=("batch",),
                name="annotation_batchwithdrawal_one_first_per_batch",
            ),
        ),
        migrations.AddConstraint(
            model_name="batchwithdrawal",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True),
                name="annotation_batchwithdrawal_says_why",
            ),
        ),
    ]
