"""Forms for the import of data sets and runs. A job checks the contents of the files."""

from collections.abc import Callable
from pathlib import PurePath
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from accounts.models import Study
from corpus import names, question_meta, versions
from corpus.formats import RUN_FORMATS
from corpus.forms.descriptions import DescriptionForm
from corpus.forms.kept_files import FileField, FilesField, FilesForm, FilesInput
from corpus.models import COMPETING, Dataset, addressable, plain_name
from corpus.readers import scai_run
from corpus.readers.base import DatasetFormat
from corpus.upload_names import safe_name

LONGEST_NAME = 200  # of a run


def no_version(name: str) -> None:
    if "@" in name:
        raise ValidationError("The name of a data set has no @: it begins the version.")


class DatasetForm(FilesForm, DescriptionForm):
    """A data set: the files of its format, and its description."""

    name = forms.CharField(
        max_length=100,
        validators=[plain_name, no_version, addressable],
        help_text="Short, and without @. The version is numbered by itself.",
    )
    as_new_version = forms.BooleanField(
        required=False,
        label="As the next version, if another data set has this name",
        help_text="Otherwise the difference is shown and nothing is imported.",
    )

    def __init__(self, *args: Any, format: DatasetFormat, **options: Any) -> None:
        super().__init__(*args, **options)
        self.format = format
        for part in format.parts:
            field = FilesField if part.is_several else FileField
            self.fields[part.name] = field(
                label=part.label,
                help_text=part.help_text,
                example=part.example,
                required=part.is_required,
            )
        if format.has_types:
            self.fields["types"] = forms.CharField(
                required=False,
                help_text="The types that questions may have, with commas between, such as closed, open."
                " Questions of others are then problems. Left empty, any type may be there.",
            )
        self.order_fields(
            [*(part.name for part in format.parts), "name", "types", "licence", "citation"]
        )

    @property
    def settings(self) -> dict[str, Any]:
        fields = ("name", "licence", "citation", "as_new_version")
        types = question_meta.types_of(self.cleaned_data.get("types", ""))
        return {
            "format": self.format.name,
            **{field: self.cleaned_data[field] for field in fields},
            **({"types": types} if types else {}),
        }

    @property
    def parts(self) -> dict[str, Any]:
        """Return the uploaded files by part."""
        files = {part.name: self.cleaned_data[part.name] for part in self.format.parts}
        return self.format.by_key(
            {
                name: file if isinstance(file, list) else [file]
                for name, file in files.items()
                if file
            }
        )


class RunsForm(FilesForm):
    dataset = forms.ModelChoiceField(
        Dataset.objects.none(),
        label="Data set",
        empty_label=None,
        help_text="What the runs answer.",
    )
    runs = FilesField(
        label="Runs",
        help_text="A file for each run, at most 100 at once. "
        + " Or ".join(each.help_text for each in RUN_FORMATS),
        example=scai_run.EXAMPLE,
    )
    names = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One a line, in the order of the files. Left empty, each run is called as its file.",
    )
    kind = forms.ChoiceField(
        choices=[(kind.value, kind.value) for kind in COMPETING],
        help_text="A baseline is compared with, and scored and drawn from just as well.",
    )
    team = forms.CharField(
        required=False, max_length=200, validators=[plain_name], help_text="Whose they are."
    )
    system = forms.CharField(
        required=False,
        max_length=200,
        validators=[plain_name],
        help_text="What gave the answers, where the name does not say it.",
    )
    setup = forms.CharField(
        required=False,
        max_length=200,
        validators=[plain_name],
        help_text="Which questions the system was given: original, rewritten, or in other words.",
    )
    leave_out_unknown = forms.BooleanField(
        required=False,
        label="Leave out answers on turns that the data set does not have",
        help_text="They are counted. Otherwise they are problems, and the run is not imported.",
    )

    def __init__(self, *args: Any, study: Study, **options: Any) -> None:
        super().__init__(*args, **options)
        field = cast("forms.ModelChoiceField[Dataset]", self.fields["dataset"])
        field.queryset = versions.to_import_runs_into(study.datasets.counting())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        files = data.get("runs")
        if files and "names" in data:
            data["names"] = self._names(data["names"], files)
        return data

    def _names(self, text: str, files: list[Any]) -> list[str]:
        """Return a name for each file; add errors to the field."""
        chosen = self._names_of(text, is_left=lambda file, is_removed: not is_removed)
        run_names = chosen or [PurePath(safe_name(file.name)).stem.strip() for file in files]
        if len(run_names) != len(files):
            # Not looked at further: nobody knows how many there are.
            self.add_error("names", f"There are {len(run_names)} names for {len(files)} files.")
            return run_names
        twice = sorted({name for name in run_names if run_names.count(name) > 1})
        if twice:
            self.add_error("names", f"More than one run would be called {', '.join(twice)}.")
        for name in run_names:
            if flaw := _flaw_of_run(name):
                self.add_error("names", f"{name[:60]}: {flaw}.")
        return run_names

    def _names_of(self, text: str, is_left: Callable[[Any, bool], bool]) -> list[str]:
        """Return the names of the files that are left, where there was one for each file that was sent."""
        chosen = [line.strip() for line in text.splitlines() if line.strip()]
        widget = cast(FilesInput, self.fields["runs"].widget)
        sent = widget.sent(self.data, self.files, self.add_prefix("runs"))
        if len(chosen) != len(sent):
            return chosen
        return [name for name, file in zip(chosen, sent, strict=True) if is_left(*file)]

    def keep_files(self) -> None:
        """Keep the files, and of the names those of the files that are kept."""
        text = str(self.data.get("names", ""))
        left = self._names_of(text, is_left=lambda file, is_removed: not is_removed and file.size)
        super().keep_files()
        data = cast(QueryDict, self.data).copy()
        data["names"] = "\n".join(left)
        self.data = data

    @property
    def about(self) -> dict[str, str]:
        """Return the description of every run of the upload."""
        return {field: self.cleaned_data[field] for field in ("kind", "team", "system", "setup")}


def _flaw_of_run(name: str) -> str:
    if len(name) > LONGEST_NAME:
        return f"a name has at most {LONGEST_NAME} characters"
    return names.flaw_of_run(name)
