"""The forms of a page, filled in as it shows them, and what is asked of the database when one is sent."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from tests.crawling import of_this_host

# What somebody can write something of their own into: by hand, or past the page.
WRITTEN = {"text", "search", "password", "hidden", "number", "datetime-local", "email", "url", ""}
TOKEN = "csrfmiddlewaretoken"


@dataclass
class Form:
    action: str
    method: str
    said: dict[str, list[str]] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    def data(self) -> dict[str, Any]:
        """What is sent: every field as it stands, or something where it is empty."""
        data: dict[str, Any] = {
            name: values if len(values) > 1 else values[0] or "1"
            for name, values in self.said.items()
            if name != TOKEN
        }
        return data | {name: SimpleUploadedFile("x.json", b"[]") for name in self.files}


class _Forms(HTMLParser):
    def __init__(self, base: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self._base = base
        self._form: Form | None = None
        self._area = self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = of_this_host(said.get("action", ""), self._base)
            self._form = Form(action, said.get("method", "get").lower())
            self.forms.append(self._form)
        elif self._form is not None:
            self._field(self._form, tag, said)

    def _field(self, form: Form, tag: str, said: dict[str, str]) -> None:
        name, kind = said.get("name", ""), said.get("type", "")
        if tag == "textarea":
            self._area = name
            form.said[name] = [""]
            form.written.append(name)
        elif tag == "select":
            self._select = name
        elif tag == "option" and (self._select not in form.said or "selected" in said):
            form.said[self._select] = [said.get("value", "")]
        elif tag == "input" and name:
            self._input(form, name, kind, said)

    def _input(self, form: Form, name: str, kind: str, said: dict[str, str]) -> None:
        if kind == "file":
            form.files.append(name)
        elif kind in WRITTEN:
            form.said[name] = [said.get("value", "")]
            form.written += [name] if name != TOKEN else []
        elif kind == "radio":
            form.said.setdefault(name, [said.get("value", "on")])
        elif kind == "checkbox" and "checked" in said:
            form.said.setdefault(name, []).append(said.get("value", "on"))

    def handle_data(self, data: str) -> None:
        if self._area and self._form is not None:
            self._form.said[self._area] = [data]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "textarea":
            self._area = ""
        elif tag == "select":
            self._select = ""


def forms_of(html: str, base: str) -> list[Form]:
    reader = _Forms(base)
    reader.feed(html)
    reader.close()
    return reader.forms


@contextmanager
def unholdable() -> Iterator[list[str]]:
    """What the database is asked with that PostgreSQL would refuse: SQLite takes it, and says nothing."""
    found: list[str] = []

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        for each in [params] if not many else params:
            texts = [str(value) for value in each or ()]
            found.extend(sql for text in texts if "\0" in text or "\\u0000" in text)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield found
