"""An OpenAPI schema as a page shows it: operations by tag, and the components they use.

Takes the schema as a dict and returns frozen dataclasses.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]
REF = "#/components/schemas/"


@dataclass(frozen=True)
class Field:
    """A field of a component or a parameter of an address.

    `thing` names the component that it is, "" for a plain value.
    """

    name: str
    type: str
    about: str
    is_required: bool
    thing: str = ""


@dataclass(frozen=True)
class Thing:
    name: str
    about: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Operation:
    """An operation. `takes` and `gives` name components, "" for none."""

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


def reference_of(schema: Json) -> Reference:
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
        for method, operation in operations.items():
            ((status, response), *_) = operation["responses"].items()
            yield (
                operation["tags"][0],
                Operation(
                    id=operation["operationId"],
                    method=method.upper(),
                    path=path,
                    summary=operation["summary"],
                    about=operation.get("description", ""),
                    parameters=tuple(map(_parameter, operation.get("parameters", ()))),
                    takes=_content(operation.get("requestBody", {})),
                    status=status,
                    gives=_content(response),
                ),
            )


def _content(body: Json) -> str:
    for content in body.get("content", {}).values():
        return _type(content.get("schema", {}))[1]
    return ""


def _parameter(parameter: Json) -> Field:
    return Field(
        name=parameter["name"],
        type=_type(parameter["schema"])[0],
        about=parameter.get("description", ""),
        is_required=parameter.get("required", False),
    )


def _thing(name: str, components: Json) -> Thing:
    component = components[name]
    required = set(component.get("required", ()))
    fields = tuple(
        Field(
            field,
            _type(field_schema)[0] + _values(field_schema, components),
            field_schema.get("description", ""),
            field in required,
            _type(field_schema)[1],
        )
        for field, field_schema in component["properties"].items()
    )
    return Thing(name, component.get("description", ""), fields)


def _type(schema: Json) -> tuple[str, str]:
    """Return the type in words, and the component named in it: ("list of Item", "Item")."""
    if ref := schema.get("$ref"):
        name = str(ref).removeprefix(REF)
        return name, name
    for many in ("allOf", "oneOf", "anyOf"):
        if many in schema:
            types = [_type(each) for each in schema[many]]
            either = " or ".join(dict.fromkeys(word for word, _ in types))
            return either, next((name for _, name in types if name), "")
    kind = schema.get("type", "")
    if kind == "array":
        word, name = _type(schema.get("items", {}))
        return f"list of {word}", name
    words = kind if isinstance(kind, list) else [kind]
    named = [str(word) for word in words if word]
    if schema.get("format") in ("date-time", "uuid"):
        named[0] = {"date-time": "time", "uuid": "id"}[schema["format"]]
    return " or ".join(named) or "anything", ""


def _values(schema: Json, components: Json) -> str:
    """Return the values that the field may have, if they are enumerated."""
    values = schema.get("enum") or components.get(_type(schema)[1], {}).get("enum")
    words = [str(each) for each in values or () if each not in (None, "")]
    return f": {', '.join(words)}" if words else ""
