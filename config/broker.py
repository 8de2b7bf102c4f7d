"""The broker on the file system, corrected so that readers never see a part of a message.

Kombu's own opens a message's file and then writes it. A worker that reads in between, or after the
writer was killed, reads half a message and dies.
"""

import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Write the message under a name outside the queue, then move it into the queue."""
        folder = Path(self.data_folder_out)
        name = f"{time.monotonic_ns()}_{uuid.uuid4()}.{queue}.msg"
        draft = folder / f"{name}.draft"
        try:
            draft.write_text(dumps(payload), encoding="utf-8")
            draft.rename(folder / name)
        except OSError as error:
            raise ChannelError(f"no message can be put into {folder} ({error.strerror})") from error

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        try:
            return super()._get(queue)
        except ValueError:  # what a power cut left; the next wake-up makes good for it
            raise Empty from None


class Transport(filesystem.Transport):
    Channel = Channel
