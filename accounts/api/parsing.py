"""What a request says, as JSON."""

from typing import Any

from rest_framework import parsers
from rest_framework.exceptions import ParseError


class JSONParser(parsers.JSONParser):
    """The framework's, by which brackets within brackets without end are no defect, but no JSON either."""

    def parse(self, *args: Any, **options: Any) -> Any:
        try:
            return super().parse(*args, **options)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
