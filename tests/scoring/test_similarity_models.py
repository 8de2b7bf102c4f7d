"""Which model a name means, and what makes two models the same."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import huggingface_hub.constants
import pytest

from scoring import similarity_models
from scoring.similarity_models import EMBEDDED, Identity, ModelError, find, kind_of_model
from tests.cases import all_cases
from tests.late_imports import ImportedLate
from tests.scoring import tiny_models

sentence_transformers = ImportedLate("sentence_transformers")
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A hub that cannot be reached, and its local cache."""
    cache = tmp_path / "hub"
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(cache))
    return cache


def version_of(folder: Path) -> str:
    return find(str(folder)).identity(dtype="float32").version


def test_the_embedded_model_is_a_verified_bi_encoder_on_this_disk():
    source = find(EMBEDDED)

    assert (source.name, source.kind, source.is_local) == (EMBEDDED, "bi-encoder", True)
    digests = similarity_models.file_digests(Path(source.location))
    assert digests["model.safetensors"] == (
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    )


def test_other_weights_than_the_expected_are_refused(monkeypatch):
    monkeypatch.setattr(similarity_models, "EMBEDDED_WEIGHTS_SHA256", "0" * 64)

    with pytest.raises(ModelError, match=r"sha256 53aa.*expected 0000.*Reinstall the package"):
        find(EMBEDDED)


def test_an_embedded_model_without_weights_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(similarity_models, "get_model_path", lambda: tmp_path)

    with pytest.raises(ModelError, match="sha256 no file"):
        find(EMBEDDED)


def test_a_version_holds_all_of_the_identity_and_no_path():
    identity = Identity("owner/name", "cross-encoder", COMMIT, "6.2.0", "bfloat16")

    assert identity.version == (
        "owner/name@0123456789abcdef:cross-encoder:bfloat16:sentence-transformers-6.2.0"
    )


def test_a_folder_moved_elsewhere_keeps_its_version(tmp_path):
    first = tiny_models.cross_encoder(tmp_path / "here" / "model")
    second = shutil.copytree(first, tmp_path / "there" / "model")

    assert version_of(first) == version_of(second)
    assert str(tmp_path) not in version_of(first)


def test_a_model_card_and_hidden_files_do_not_change_the_version(tmp_path):
    folder = tiny_models.cross_encoder(tmp_path / "model")
    before = version_of(folder)

    (folder / "README.md").write_text("A card.")
    (folder / ".cache").mkdir()
    (folder / ".cache" / "lock").write_text("1")

    assert version_of(folder) == before


def test_other_weights_make_another_version(tmp_path):
    first = tiny_models.cross_encoder(tmp_path / "a" / "model", seed=0)
    second = tiny_models.cross_encoder(tmp_path / "b" / "model", seed=1)

    assert version_of(first) != version_of(second)


def test_another_tokeniser_makes_another_version(tmp_path):
    folder = tiny_models.cross_encoder(tmp_path / "model")
    before = version_of(folder)

    (folder / "tokenizer_config.json").write_text('{"model_max_length": 8}')

    assert version_of(folder) != before


def test_a_folder_made_by_sentence_transformers_is_of_the_kind_it_says(tmp_path):
    bare = tiny_models.cross_encoder(tmp_path / "bare")
    saved = tmp_path / "saved"
    model = sentence_transformers.CrossEncoder(str(bare), device="cpu")
    model.save_pretrained(str(saved), create_model_card=False)

    # Since 6.0 a saved cross-encoder has a modules.json like a bi-encoder.
    assert (saved / "modules.json").is_file()
    assert find(str(bare)).kind == "cross-encoder"
    assert find(str(saved)).kind == "cross-encoder"
    assert find(str(tiny_models.bi_encoder(tmp_path / "two"))).kind == "bi-encoder"


def test_the_kind_is_told_without_reading_the_weights(tmp_path, monkeypatch):
    cross = tiny_models.cross_encoder(tmp_path / "cross")
    two = tiny_models.bi_encoder(tmp_path / "two")
    monkeypatch.setattr(similarity_models, "_sha256", None)

    assert kind_of_model(str(cross)) == "cross-encoder"
    assert kind_of_model(str(two)) == kind_of_model(EMBEDDED) == "bi-encoder"
    with pytest.raises(ModelError, match="There is no folder nowhere, and it is not a hub name"):
        kind_of_model("nowhere")


def test_a_configuration_that_cannot_be_read_is_named_with_the_file(tmp_path, monkeypatch):
    folder = tiny_models.cross_encoder(tmp_path / "tiny")

    def refuse(path):
        raise PermissionError(13, "Permission denied", "config.json")

    monkeypatch.setattr(similarity_models, "_json_of", refuse)

    with pytest.raises(ModelError, match=r"tiny cannot be read: “config.json” \(Permission denied"):
        kind_of_model(str(folder))


def test_a_bi_encoder_older_than_the_model_type_is_a_bi_encoder(tmp_path):
    (tmp_path / "modules.json").write_text("[]")

    assert find(str(tmp_path)).kind == "bi-encoder"


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("config.json", {"architectures": ["BertModel"]}, "BertModel"),
        ("config.json", {"architectures": None}, "no configuration"),
        ("notes.txt", {}, "no configuration"),
    ],
)
def test_a_folder_of_another_kind_is_refused(tmp_path, file, content, said):
    (tmp_path / file).write_text(json.dumps(content))

    with pytest.raises(ModelError, match=f"neither a bi-encoder nor a cross-encoder .{said}"):
        find(str(tmp_path))


def test_a_sparse_encoder_is_refused(tmp_path):
    (tmp_path / "modules.json").write_text("[]")
    (tmp_path / "config_sentence_transformers.json").write_text('{"model_type": "SparseEncoder"}')

    with pytest.raises(ModelError, match="SparseEncoder"):
        find(str(tmp_path))


def test_a_configuration_that_is_not_json_is_named(tmp_path):
    (tmp_path / "config.json").write_text("{")

    with pytest.raises(ModelError, match=r"config\.json of the model .* is not JSON"):
        find(str(tmp_path))


@pytest.mark.parametrize("name", ["/nowhere/model", "model", "a/b/c", "./model", "C:\\model"])
def test_a_missing_folder_is_named(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(
        ModelError, match=f"There is no folder {re.escape(name)}, and it is not a hub"
    ):
        find(name)


@all_cases(
    "name",
    [
        "",
        "  ",
        "x" * 300,
        f"{'x' * 300}/y",
        "~nobody-at-all/model",
        "owner/mo\ndel",
        "/\udcff",
        "\0",
    ],
)
def test_a_name_that_no_folder_can_have_is_refused_in_words(name):
    with pytest.raises(ModelError, match="There is no folder"):
        find(name)


def test_a_folder_that_cannot_be_read_is_named_with_the_file(tmp_path, monkeypatch):
    folder = tiny_models.cross_encoder(tmp_path / "tiny")

    def refuse(path):
        raise PermissionError(13, "Permission denied", "model.safetensors")

    monkeypatch.setattr(similarity_models, "_sha256", refuse)

    with pytest.raises(
        ModelError, match=r"tiny cannot be read: “model.safetensors” \(Permission denied"
    ):
        find(str(folder))


@pytest.mark.parametrize("odd", ["5", "{}", '"Bert"', "[1]", "null"])
def test_a_configuration_that_says_something_odd_is_no_model(tmp_path, odd):
    (tmp_path / "config.json").write_text(f'{{"architectures": {odd}}}')

    with pytest.raises(ModelError, match="neither a bi-encoder nor a cross-encoder"):
        find(str(tmp_path))


def test_a_hub_that_cannot_be_reached_is_said_with_the_way_out(hub):
    with pytest.raises(ModelError, match="hub does not give") as caught:
        find("cross-encoder/stsb-roberta-large")

    assert "hf download cross-encoder/stsb-roberta-large" in str(caught.value)


def test_a_hub_model_in_the_local_cache_needs_no_hub(hub):
    tiny_models.in_the_hub_cache(hub, "owner/tiny", COMMIT)

    source = find("owner/tiny")

    assert (source.name, source.kind, source.revision) == ("owner/tiny", "cross-encoder", COMMIT)
    assert (source.location, source.is_local) == ("owner/tiny", False)


def test_finding_a_model_does_not_import_torch():
    program = "import sys, scoring.similarity_models; sys.exit('torch' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
