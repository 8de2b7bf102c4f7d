"""Commands whose options are the fields of a form."""

import argparse
import re
from io import StringIO

import pytest
from django import forms
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.commands import FormCommand, Option


class LampForm(forms.Form):
    name = forms.CharField(max_length=4, label="Name of the lamp")
    n_rays = forms.IntegerField(
        label="Number of rays", min_value=1, required=False, help_text="In pairs. Empty: all."
    )
    colour = forms.ChoiceField(
        choices=[("", "any"), ("r", "red, for port"), ("g", "green")], required=False, initial="g"
    )
    marks = forms.MultipleChoiceField(choices=[("a", "a"), ("b", "b")], required=False)
    is_lit = forms.BooleanField(label="It is lit", required=False, initial=True)
    notes = forms.CharField(required=False)
    height = forms.FloatField()

    def clean(self):
        if self.cleaned_data.get("name") == "dark":
            raise forms.ValidationError("A dark lamp is none.")
        return super().clean()


class Command(FormCommand):
    form_class = LampForm
    form_options = {
        "n_rays": Option("rays"),
        "is_lit": Option("unlit", help="it is dark"),
        "notes": Option("note", is_repeated=True, read="\n".join, help="one of 100 %"),
        "height": None,
    }

    def act(self, **options):
        return self.form(options, {"height": 7}).cleaned_data


def run(*words):
    command, out = Command(stdout=StringIO()), {}
    command.lines = lambda summary: out.update(summary) or []
    call_command(command, *words)
    return out


def test_options_that_are_left_out_have_the_initial_values():
    assert run("--name", "sun") == {
        "name": "sun",
        "n_rays": None,
        "colour": "g",
        "marks": [],
        "is_lit": True,
        "notes": "",
        "height": 7.0,
    }


def test_each_option_reaches_its_field():
    given = run(
        *("--name", "sun", "--rays", "4", "--colour", "r", "--marks", "b", "a", "--unlit"),
        *("--note", "one", "--note", "two"),
    )

    assert (given["n_rays"], given["colour"], given["marks"]) == (4, "r", ["b", "a"])
    assert (given["is_lit"], given["notes"]) == (False, "one\ntwo")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--name", "sun", "--rays", "0"), "--rays: Ensure this value is greater than"),
        (("--name", "candle"), "--name: Ensure this value has at most 4 characters"),
        (("--name", "dark"), "A dark lamp is none."),
        (("--name", "sun", "--colour", "blue"), "invalid choice: 'blue'"),
        ((), "required: --name"),
    ],
)
def test_what_the_form_refuses_is_named_by_its_option(words, message):
    with pytest.raises(CommandError, match=re.escape(message)):
        run(*words)


def test_the_help_is_the_words_of_the_form():
    actions = {each.dest: each for each in Command().create_parser("", "lamp")._actions}
    helps = {name: each.help for name, each in actions.items()}

    assert helps["name"] == "required; name of the lamp"
    assert helps["n_rays"] == "number of rays. In pairs; default: all"
    assert helps["colour"] == "red, for port; green; default: %(default)s"
    assert helps["is_lit"] == "it is dark"
    assert helps["notes"] == "one of 100 %%"
    assert (actions["n_rays"].metavar, actions["colour"].choices) == ("N", ["r", "g"])
    assert isinstance(actions["name"], argparse.Action)
