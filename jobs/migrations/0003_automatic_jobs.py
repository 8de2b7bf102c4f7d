from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_count_of_errors")]

    operations = [
        migrations.AddField(
            model_name="job",
            name="is_automatic",
            field=models.BooleanField(default=False),
        ),
    ]
