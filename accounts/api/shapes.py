"""What is answered, as the schema calls it: an ItemOut is an Item there."""

from typing import Any, ClassVar

from rest_framework import serializers


class Out(serializers.Serializer[Any]):
    _spectacular_annotation: ClassVar[dict[str, str]]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._spectacular_annotation = {"component_name": cls.__name__.removesuffix("Out")}
