"""What a model's name on the command line means to a worker that stands elsewhere."""

import pytest

from scoring.commands import model_name, name_for_workers
from scoring.thresholds import DEFAULT_SCORER


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "tiny").mkdir()
    (tmp_path / DEFAULT_SCORER).mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("given", ["tiny", "./tiny", "tiny/", "~/tiny"])
def test_a_folder_is_named_in_full_and_called_by_its_last_part(here, given):
    assert name_for_workers(given) == str(here / "tiny")
    assert model_name(given) == "tiny"


@pytest.mark.parametrize(
    "given",
    [
        DEFAULT_SCORER,
        "cross-encoder/stsb-roberta-large",
        "./nowhere",
        "",
        "x" * 300,
        "~nobody-at-all/m",
    ],
)
def test_any_other_name_stays_as_it_is(here, given):
    assert name_for_workers(given) == model_name(given) == given


def test_a_folder_that_is_called_like_the_embedded_model_is_named_by_a_path(here):
    assert name_for_workers(f"./{DEFAULT_SCORER}") == str(here / DEFAULT_SCORER)
