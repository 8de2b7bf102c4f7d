from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0007_messages_notices_feedback"),
    ]

    operations = [
        migrations.AddField(
            model_name="batch",
            name="shows_markdown",
            field=models.BooleanField(default=False),
        ),
    ]
