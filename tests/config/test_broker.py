"""The broker on the file system: a message is there whole or not at all."""

from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection
from kombu.exceptions import ChannelError

from config import broker
from config.celery import app

MESSAGE = {"body": "wake", "headers": {"name": "Zoë"}}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "queue").mkdir()
    return tmp_path / "queue"


@pytest.fixture
def channel(folder):
    options = {
        "data_folder_in": str(folder),
        "data_folder_out": str(folder),
        "control_folder": str(folder.parent / "control"),
    }
    with Connection("filesystem://localhost/", transport_options=options) as connection:
        channel = connection.channel()
        yield channel
        channel.close()


def test_celery_uses_it(channel):
    assert isinstance(channel, broker.Channel)
    assert app.conf.broker_transport_options.keys() >= {"data_folder_in", "data_folder_out"}


def test_what_is_put_is_got_once(channel, folder):
    channel._put("touchstone", MESSAGE)
    assert channel._size("touchstone") == 1

    assert channel._get("touchstone") == MESSAGE

    with pytest.raises(Empty):
        channel._get("touchstone")
    assert list(folder.iterdir()) == []


def test_messages_come_in_the_order_in_which_they_were_put(channel):
    for number in range(20):
        channel._put("touchstone", number)

    assert [channel._get("touchstone") for _ in range(20)] == list(range(20))


def test_a_message_that_is_still_being_written_is_not_found(channel, monkeypatch):
    write, found = Path.write_text, []

    def look_on_while_it_is_written(path, text, **options):
        write(path, text[:5], **options)
        found.append(channel._size("touchstone"))
        with pytest.raises(Empty):
            channel._get("touchstone")
        return write(path, text, **options)

    monkeypatch.setattr(Path, "write_text", look_on_while_it_is_written)
    channel._put("touchstone", MESSAGE)

    assert found == [0]
    assert channel._get("touchstone") == MESSAGE


@pytest.mark.parametrize("left", ["", '{"body": "wa'])
def test_half_a_message_that_a_power_cut_left_is_dropped(channel, folder, left):
    (folder / "1_x.touchstone.msg").write_text(left)

    with pytest.raises(Empty):
        channel._get("touchstone")

    channel._put("touchstone", MESSAGE)
    assert channel._get("touchstone") == MESSAGE


def test_a_folder_that_is_gone_is_a_broker_that_is_away(channel, folder):
    folder.rmdir()

    with pytest.raises(ChannelError, match=r"no message can be put into .* \(No such file"):
        channel._put("touchstone", MESSAGE)
