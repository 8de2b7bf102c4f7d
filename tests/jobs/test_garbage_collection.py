"""The garbage collector is off while there is nothing to collect, and then as it was."""

import gc

import pytest

from jobs.garbage_collection import garbage_collection_off


def test_it_is_off_within_and_on_again_after_an_error():
    @garbage_collection_off()
    def fail() -> None:
        raise ValueError("off" if not gc.isenabled() else "on")

    with pytest.raises(ValueError, match="off"):
        fail()

    assert gc.isenabled()


def test_it_stays_off_where_it_was_off_before():
    gc.disable()
    try:
        with garbage_collection_off():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
