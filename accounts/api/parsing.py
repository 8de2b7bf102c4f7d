from typing import Any

from rest_framework import parsers
from rest_framework.exceptions import ParseError


class JSONParser(parsers.JSONParser):
    """A parser that answers JSON that is nested too deeply with 400, not with 500."""

    def parse(self, *args: Any, **options: Any) -> Any:
        try:
            return super().parse(*args, **options)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
