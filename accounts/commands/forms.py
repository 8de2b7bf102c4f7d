"""Commands whose options are the fields of a form: one list of names, kinds, limits and words."""

import re
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.core.management.base import CommandError
from django.forms.utils import pretty_name

from accounts.commands.study import SummaryCommand

# How the help text of a field says what holds if it is left empty.
EMPTY = re.compile(r"(?:[.;] |^)(?:Empty|Left empty|None chosen)[:,] (.)")


@dataclass(frozen=True)
class Option:
    """What an option has of its own; the rest is that of its field."""

    name: str = ""  # without dashes
    help: str = ""
    metavar: str = ""
    default: Any = None  # in place of the field's initial value
    is_required: bool | None = None
    is_repeated: bool = False  # several values by several options; else they follow one
    switches: Mapping[str, tuple[Any, str]] = field(default_factory=dict)  # their value and help
    read: Callable[[Any], Any] | None = None  # what the form gets for a text


class FormCommand(SummaryCommand):
    """A command whose options are the fields of `form_class`, as `form_options` says.

    A field that `form_options` maps to None is no option: the command gives its value.
    """

    form_class: ClassVar[type[forms.Form]]
    form_options: ClassVar[Mapping[str, Option | None]] = {}

    def add_options(self, parser: ArgumentParser) -> None:
        for name, of_form in self.form_class.base_fields.items():
            if (option := self._option(name)) is not None:
                _add(parser, name, of_form, option)

    def form(
        self, options: Mapping[str, Any], values: Mapping[str, Any] | None = None, **arguments: Any
    ) -> Any:
        """Return the valid form of the options and of other values. Raises CommandError."""
        data = dict(values or {})
        for name, of_form in self.form_class.base_fields.items():
            option = self._option(name)
            if option is None:
                continue
            value = options[name]
            if value is not None and option.read:
                value = option.read(value)
            if value is None:
                value = _default(of_form, option)
            if value is not None:
                data[name] = value
        form = self.form_class(data=data, **arguments)
        if not form.is_valid():
            wrong = form.errors.items()
            raise CommandError("; ".join(self._sentence(*each) for each in wrong))
        return form

    def _option(self, field_name: str) -> Option | None:
        return self.form_options.get(field_name, Option())

    def _sentence(self, field_name: str, messages: Iterable[Any]) -> str:
        text = " ".join(map(str, messages))
        if field_name == NON_FIELD_ERRORS:
            return text
        return f"--{option_name(field_name, self._option(field_name) or Option())}: {text}"


def option_name(field_name: str, option: Option) -> str:
    return option.name or field_name.replace("_", "-")


def _add(parser: ArgumentParser, name: str, of_form: forms.Field, option: Option) -> None:
    if option.switches:
        group = parser.add_mutually_exclusive_group()
        for switch, (value, text) in option.switches.items():
            group.add_argument(
                f"--{switch}", dest=name, action="store_const", const=value, help=text
            )
        return
    parser.add_argument(
        f"--{option_name(name, option)}",
        dest=name,
        help=(option.help or field_help(option_name(name, option), of_form)).replace("%", "%%"),
        **_kind(name, of_form, option),
    )


def _kind(name: str, of_form: forms.Field, option: Option) -> dict[str, Any]:
    """Return what argparse is told of the option's values."""
    default = _default(of_form, option)
    if isinstance(of_form, forms.BooleanField):
        return {"action": "store_false" if default else "store_true"}
    kind: dict[str, Any] = {"default": default}
    kind["required"] = (
        of_form.required and default is None if option.is_required is None else option.is_required
    )
    if option.is_repeated:
        kind["action"] = "append"
    elif isinstance(of_form, forms.MultipleChoiceField):
        kind |= {"action": "extend", "nargs": "+"}
    if option.read or "action" in kind:
        kind["default"] = None  # the form gets it as it is: it is neither read nor added to
    if values := [str(value) for value, _ in _choices(of_form) if value != ""]:
        kind["choices"] = values
    if option.metavar or not values:
        kind["metavar"] = option.metavar or _metavar(option_name(name, option), of_form)
    return kind


def _metavar(name: str, of_form: forms.Field) -> str:
    if type(of_form) is forms.IntegerField:
        return "SEED" if name == "seed" else "N"
    return name.upper().replace("-", "_")


def _default(of_form: forms.Field, option: Option) -> Any:
    default = of_form.initial if option.default is None else option.default
    return None if default == "" else default


def _choices(of_form: forms.Field) -> list[tuple[Any, Any]]:
    """Return the values with their words, also those in groups."""
    choices: Any = of_form.choices if isinstance(of_form, forms.ChoiceField) else []
    groups = [text if isinstance(text, list) else [(value, text)] for value, text in choices]
    return [each for group in groups for each in group]


def field_help(option: str, of_form: forms.Field) -> str:
    """Return the label, the words of the choices and the help text, as the help of the option."""
    label, more = str(of_form.label or ""), str(of_form.help_text).removesuffix(".")
    choices = {str(value): str(text) for value, text in _choices(of_form)}
    without = choices.pop("", "") if of_form.initial is None else ""
    words = "; ".join(
        text if text.startswith(value) else f"{value}: {text}"
        for value, text in choices.items()
        if value and text != value
    )
    if label == pretty_name(option.replace("-", "_")):
        label = ""
    parts = [": ".join(filter(None, [label, words])), more]
    text = EMPTY.sub(lambda empty: f"; default: {empty[1]}", ". ".join(filter(None, parts)))
    text = (text + (f"; default: {without}" if without else "")).removeprefix("; ")
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
