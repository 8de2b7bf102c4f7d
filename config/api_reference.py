"""An OpenAPI schema as what a page shows of it: operations by their tags, and the things they speak of.

Plain Python: takes the schema as a dict, gives frozen dataclasses.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]
REF = "#/components/schemas/"


@dataclass(frozen=True)
class Field:
    """A field of a thing or a parameter of an address. `of` names the thing that it is, where it is one."""

    name: str
    type: str
    about: str
    is_required: bool
    of: str = ""


@dataclass(frozen=True)
class Thing:
    name: str
    about: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Operation:
    """`takes` and `gives` name things, "" where there is none to speak of."""

    id: str
    method: str
    path: str
    summary: str
    about: str
    parameters: tuple[Field, ...]
    takes: str
    status: str
    gives: str


@dataclass(frozen=True)
class Reference:
    sections: tuple[tuple[str, tuple[Operation, ...]], ...]
    things: tuple[Thing, ...]


def read(schema: Json) -> Reference:
    operations = list(_operations(schema))
    first = [each["name"] for each in schema.get("tags", ())]
    tags = list(dict.fromkeys([*first, *(tag for tag, _ in operations)]))
    components = schema["components"]["schemas"]
    return Reference(
        sections=tuple(
            (tag, tuple(each for own, each in operations if own == tag)) for tag in tags
        ),
        things=tuple(
            _thing(name, components)
            for name in sorted(components)
            if "properties" in components[name]
        ),
    )


def _operations(schema: Json) -> Iterator[tuple[str, Operation]]:
    for path, operations in schema["paths"].items():
        for method, said in operations.items():
            ((status, answer), *_) = said["responses"].items()
            yield (
                said["tags"][0],
                Operation(
                    id=said["operationId"],
                    method=method.upper(),
                    path=path,
                    summary=said["summary"],
                    about=said.get("description", ""),
                    parameters=tuple(map(_parameter, said.get("parameters", ()))),
                    takes=_content(said.get("requestBody", {})),
                    status=status,
                    gives=_content(answer),
                ),
            )


def _content(body: Json) -> str:
    for content in body.get("content", {}).values():
        return _type(content.get("schema", {}))[1]
    return ""


def _parameter(said: Json) -> Field:
    return Field(
        name=said["name"],
        type=_type(said["schema"])[0],
        about=said.get("description", ""),
        is_required=said.get("required", False),
    )


def _thing(name: str, components: Json) -> Thing:
    said = components[name]
    required = set(said.get("required", ()))
    fields = tuple(
        Field(
            field,
            _type(about)[0] + _values(about, components),
            about.get("description", ""),
            field in required,
            _type(about)[1],
        )
        for field, about in said["properties"].items()
    )
    return Thing(name, said.get("description", ""), fields)


def _type(said: Json) -> tuple[str, str]:
    """In words, and the thing that is named in it: ("list of Item", "Item")."""
    if ref := said.get("$ref"):
        name = str(ref).removeprefix(REF)
        return name, name
    for many in ("allOf", "oneOf", "anyOf"):
        if many in said:
            found = [_type(each) for each in said[many]]
            either = " or ".join(dict.fromkeys(word for word, _ in found))
            return either, next((name for _, name in found if name), "")
    kind = said.get("type", "")
    if kind == "array":
        word, name = _type(said.get("items", {}))
        return f"list of {word}", name
    words = kind if isinstance(kind, list) else [kind]
    named = [str(word) for word in words if word]
    if said.get("format") in ("date-time", "uuid"):
        named[0] = {"date-time": "time", "uuid": "id"}[said["format"]]
    return " or ".join(named) or "anything", ""


def _values(said: Json, components: Json) -> str:
    """The words that the field may be, where they are few and known."""
    found = said.get("enum") or components.get(_type(said)[1], {}).get("enum")
    words = [str(each) for each in found or () if each not in (None, "")]
    return f": {', '.join(words)}" if words else ""
