from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import FormCommand, Option, StudyCommand
from corpus.actions import dataset_descriptions
from corpus.commands import DATASET
from corpus.forms.descriptions import DescriptionForm


class Command(FormCommand, StudyCommand):
    help = "Change the licence or citation of a data set, for later releases."
    named: ClassVar = (DATASET,)
    form_class = DescriptionForm
    form_options: ClassVar = {
        "licence": Option(help="of the data set; empty removes it"),
        "citation": Option(help="how to cite the data set; empty removes it"),
    }

    def act(self, **options: Any) -> Mapping[str, Any]:
        cleaned = self.form(options).cleaned_data
        about = {name: value for name, value in cleaned.items() if options[name] is not None}
        if not about:
            raise CommandError("nothing to change: give --licence or --citation")
        dataset = options["dataset"]
        before = dataset_descriptions.describe(dataset=dataset, about=about, by=options["by"])
        return {"dataset": str(dataset), "changed": sorted(before)}
