"""Addresses that most processes never use."""

from typing import Any

from django.urls import URLResolver


class LazyResolver(URLResolver):
    """The addresses of a module, in a namespace of their own, imported when one is asked for.

    Django imports a module given by name when an address below it is resolved, but also when any
    address is first reversed. This class waits for one of its own.
    """

    _is_asked = False

    def _populate(self) -> None:
        if self._is_asked:
            super()._populate()

    @property
    def reverse_dict(self) -> Any:
        self._is_asked = True
        return super().reverse_dict

    @property
    def namespace_dict(self) -> Any:
        self._is_asked = True
        return super().namespace_dict

    @property
    def app_dict(self) -> Any:
        self._is_asked = True
        return super().app_dict
