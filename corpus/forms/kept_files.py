"""File fields that keep what was sent while something else in the form is wrong."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import ErrorList
from django.template.defaultfilters import filesizeformat

from accounts.models import User
from corpus import uploads
from corpus.upload_names import safe_name
from corpus.uploads import KeptFile, NotKeptError
from pages.words import sentence

KEPT, REMOVE = "-kept", "-remove"
GONE = "The files that you sent before are no longer kept: choose them again."


def folder_of(data: Any) -> str:
    """Return the folder of the files that the form says are kept; empty if it says of none."""
    named = (name for field in data if field.endswith(KEPT) for name in data.getlist(field))
    return next((name.partition("/")[0] for name in named), "")


class FileInput(forms.FileInput):
    """A file input with the files that were sent before, each of which can be removed.

    `available` are the kept files of the person, by stored name; `kept` are those of this field.
    """

    template_name = "corpus/_file_input.html"
    available: Mapping[str, KeptFile] = {}
    kept: tuple[KeptFile, ...] = ()

    def sent(self, data: Any, files: Any, name: str) -> list[tuple[Any, bool]]:
        """Return the kept files, then the new ones, each with whether it is to be removed."""
        if not hasattr(data, "getlist"):
            return [(file, False) for file in [files.get(name)] if file]
        removed = set(data.getlist(name + REMOVE))
        named = [each for each in data.getlist(name + KEPT) if each in self.available]
        kept = [(self.available[each], each in removed) for each in named]
        new = [(file, False) for file in files.getlist(name)]
        return [*kept, *new] if self.allow_multiple_selected else (new or kept)[:1]

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        chosen = [file for file, is_removed in self.sent(data, files, name) if not is_removed]
        return chosen if self.allow_multiple_selected else next(iter(chosen), None)

    def use_required_attribute(self, initial: Any) -> bool:
        return super().use_required_attribute(initial) and not self.kept

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        rows = [
            {"file": each, "size": filesizeformat(each.size), "stem": PurePath(each.name).stem}
            for each in self.kept
        ]
        return context | {"kept": rows, "kept_name": name + KEPT, "remove_name": name + REMOVE}


class FilesInput(FileInput):
    allow_multiple_selected = True


class FileField(forms.FileField):
    """A file. The page can show `example`, the beginning of such a file."""

    default_error_messages: ClassVar = {
        "required": "Choose a file.",
        "invalid": "The file did not arrive. Choose it again.",
    }
    widget = FileInput

    def __init__(self, *, example: str, **options: Any) -> None:
        super().__init__(**options)
        self.example = example

    def to_python(self, data: Any) -> Any:
        if data and not data.size:
            raise ValidationError(f"“{safe_name(data.name or '')}” is empty.", code="empty")
        return super().to_python(data)


class FilesField(FileField):
    """One or more files, each validated as a single one is."""

    default_error_messages: ClassVar = {
        "invalid": "The files did not arrive. Choose them again.",
    }
    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        files = data if isinstance(data, list | tuple) else [data]
        found, errors = [], []
        for each in files or [None]:
            try:
                found.append(super().clean(each, initial))
            except ValidationError as error:
                errors += error.error_list
        if errors:
            raise ValidationError(errors)
        return found


class FilesForm(forms.Form):
    """A form with files. They are kept if something in it is wrong, and it names them when shown again."""

    def __init__(self, *args: Any, by: User | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.by = by
        self.folder = folder_of(self.data) if by and hasattr(self.data, "getlist") else ""
        self.available = uploads.kept_files(self.folder, by=by) if by and self.folder else {}

    def file_fields(self) -> dict[str, FileInput]:
        """Return the inputs of the file fields, by name, each knowing what is kept."""
        found = {}
        for name, field in self.fields.items():
            if isinstance(field.widget, FileInput):
                field.widget.available = self.available
                found[name] = field.widget
        return found

    def full_clean(self) -> None:
        self.file_fields()
        super().full_clean()

    def clean(self) -> dict[str, Any] | None:
        if self.folder and not self.available:
            self.add_error(None, GONE)
        return super().clean()

    def keep_files(self) -> None:
        """Keep the files that were sent, but empty ones, for the next time the form is sent."""
        sound = {
            name: [
                file
                for file, is_removed in widget.sent(self.data, self.files, self.add_prefix(name))
                if not is_removed and file.size
            ]
            for name, widget in self.file_fields().items()
        }
        files = [file for of_field in sound.values() for file in of_field]
        if not (files and self.by):
            return
        try:
            upload = uploads.keep(files, by=self.by)
        except NotKeptError as error:
            errors = self.errors.setdefault("__all__", ErrorList())
            if sentence(error) not in errors:
                errors.append(sentence(error))
            return
        kept = iter(zip(upload.files, files, strict=True))
        for name, widget in self.file_fields().items():
            of_field = [next(kept) for _ in sound[name]]
            widget.kept = tuple(KeptFile(stored, file.size or 0) for stored, file in of_field)
