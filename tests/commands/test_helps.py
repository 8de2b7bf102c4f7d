"""What the commands on data sets, runs, scores, pools and evidence say of their options."""

from django.core.management import get_commands, load_command_class

from scoring.thresholds import DEFAULT_SCORER, EVIDENCE, EVIDENCE_OF_THE_PAPER
from tests.cases import all_cases

COMMANDS = (
    *("import_dataset", "import_run", "import_runs", "score", "import_scores"),
    *("draw_pool", "find_evidence"),
)


def helps(command):
    """The help of each argument as it is shown, with its default."""
    parser = load_command_class(get_commands()[command], command).create_parser("m", command)
    return {
        (each.option_strings or [each.metavar])[0]: (
            each,
            (each.help or "") % {"default": each.default},
        )
        for each in parser._actions
        if each.help != "==SUPPRESS=="
    }


@all_cases("command", COMMANDS)
def test_every_argument_says_what_it_is_and_what_holds_without_it(command):
    for name, (action, text) in helps(command).items():
        assert len(text.removeprefix("required").split(";")[0].split()) > 1 or "; " in text, name
        plain_switch = action.nargs == 0
        assert not action.option_strings or action.required or plain_switch or "default:" in text, (
            name
        )


def test_the_threshold_of_evidence_says_where_it_comes_from():
    _, text = helps("find_evidence")["--sas-threshold"]

    assert f"{EVIDENCE[DEFAULT_SCORER]} for {DEFAULT_SCORER}" in text
    assert f"the paper's {EVIDENCE_OF_THE_PAPER}" in text
    assert "docs/adr/0003-evidence-threshold.md" in text
