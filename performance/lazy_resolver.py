"""Addresses that most processes never need."""

from typing import Any

from django.urls import URLResolver


class LazyResolver(URLResolver):
    """The addresses of a module, in a name space of their own, that is imported once one is asked for.

    Django imports a module that is given by its name when an address below it is resolved, but also, for
    all of them, when the first address of anything is written. This one waits until one of its own is.
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
