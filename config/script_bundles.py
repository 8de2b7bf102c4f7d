"""A script with the modules that it imports, as one file.

For the scripts of this program: an import or export begins a line. Anything that could not be joined without
reading JavaScript as a browser does is refused.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Read = Callable[[str], str]  # the text of the file at a path


class BundleError(Exception):
    """A file has something that cannot stand in a bundle."""


_COMMENT_LINE = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
_IMPORT = re.compile(
    r'^import (?:(?:\* as (?P<whole>\w+)|\{(?P<names>[^}]*)\}) from )?"(?P<path>\.[^"]+)";\n',
    re.MULTILINE,
)
_EXPORT = re.compile(
    r"^export (?=(?P<kind>async function|function|class|const|let) (?P<names>\w+|\{[^}\n]*\}))",
    re.MULTILINE,
)
_UNKNOWN = re.compile(r"^(?:import|export)\b.*|^.*\bimport[.(].*", re.MULTILINE)


@dataclass(frozen=True)
class _Import:
    path: str
    whole: str | None  # the name for the whole module
    names: dict[str, str]  # name here, by the name there


@dataclass(frozen=True)
class _Module:
    path: str
    imports: list[_Import]
    constants: list[str]
    variables: list[str]  # exported names whose values change
    body: str

    def with_imports(self) -> str:
        return "".join(self._bindings()) + self.body

    def as_constant(self) -> str:
        """Return a statement that evaluates the module and keeps what it exports."""
        exported = [
            *self.constants,
            *(f"get {name}() {{ return {name}; }}" for name in self.variables),
        ]
        end = f"return {{ {', '.join(exported)} }};\n"
        return f"const {_constant(self.path)} = (() => {{\n{self.with_imports()}{end}}})();\n"

    def _bindings(self) -> Iterator[str]:
        for each in self.imports:
            if each.whole:
                yield f"const {each.whole} = {_constant(each.path)};\n"
            elif each.names:
                names = ", ".join(f"{there}: {here}" for there, here in each.names.items())
                yield f"const {{ {names} }} = {_constant(each.path)};\n"


def bundle(entry: str, read: Read) -> str:
    """Return the script and all that it imports, in the order in which a browser evaluates them.

    Raises BundleError.
    """
    found: dict[str, _Module] = {}
    _collect(entry, read, found, ())
    *imported, main = found.values()
    return "".join(each.as_constant() for each in imported) + main.with_imports()


def _collect(path: str, read: Read, found: dict[str, _Module], importers: tuple[str, ...]) -> None:
    if path in importers:
        raise BundleError(f"{path} imports itself, through {importers[-1]}")
    if path in found:
        return
    module = _parsed(path, read(path))
    for each in module.imports:
        _collect(each.path, read, found, (*importers, path))
        if lacking := set(each.names) - set(found[each.path].constants):
            names = ", ".join(sorted(lacking))
            raise BundleError(f"{path}: {each.path} exports no constant {names}")
    found[path] = module


def _parsed(path: str, text: str) -> _Module:
    text = _COMMENT_LINE.sub("", text)
    # A comment might be a line of the text.
    if any(line.count("`") % 2 for line in text.splitlines()):
        raise BundleError(f"{path}: a template of several lines")
    imports = [
        _Import(
            posixpath.normpath(posixpath.join(posixpath.dirname(path), each["path"])),
            each["whole"],
            dict(_pairs(each["names"] or "", " as ")),
        )
        for each in _IMPORT.finditer(text)
    ]
    constants: list[str] = []
    variables: list[str] = []
    for each in _EXPORT.finditer(text):
        names = [here for _, here in _pairs(each["names"].strip("{}"), ":")]
        (variables if each["kind"] == "let" else constants).extend(names)
    body = _EXPORT.sub("", _IMPORT.sub("", text))
    if unknown := _UNKNOWN.search(body):
        raise BundleError(f"{path}: no bundle can have {unknown[0].strip()}")
    return _Module(path, imports, constants, variables, body)


def _pairs(names: str, separator: str) -> Iterator[tuple[str, str]]:
    """Yield (name there, name here) of a list such as "a, b as c"."""
    for each in filter(None, (part.strip() for part in names.split(","))):
        there, _, here = (part.strip() for part in each.partition(separator))
        yield there, here or there


def _constant(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))
