import os
import signal
import socket
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.urls import reverse

from accounts.actions import first_steps
from accounts.commands import TouchstoneCommand, require_migrated, whole_number
from config import children, static_files
from config.children import MOST_SHORT_LIVES, ProcessSlot
from config.storages import storage_flaw
from monitoring import process_files

LOOK_EVERY = 1.0  # seconds: whether everybody is alive
PROCESSES = min(os.cpu_count() or 1, 4)
SEE_MESSAGES = "its messages above say why"
ROOT = 0
ROOT_ADVICE = (
    "Touchstone runs as root, and so would whoever broke into it."
    " Give it a user of its own: docs/deployment.md says how"
)


class Command(TouchstoneCommand):
    help = "Run the web server and a worker. Ctrl-C stops both."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        parser.add_argument("--port", type=whole_number(1, 65535), default=8000)
        parser.add_argument(
            "--processes",
            type=whole_number(1, 64),
            default=PROCESSES,
            help="of the web server; by default as many as there are cores, at most 4",
        )
        parser.add_argument(
            "--threads", type=whole_number(1, 1000), default=4, help="of each of them"
        )
        parser.add_argument("--no-worker", action="store_true", help="workers run elsewhere")
        parser.add_argument(
            "--check", action="store_true", help="only say whether the address can be had"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"]:
            listening_socket(options["host"], options["port"]).close()
            return
        require_migrated()
        if flaw := storage_flaw():
            raise CommandError(flaw)
        # Before an application is made: it looks at the files once, when it begins.
        static_files.collect()
        with listening_socket(options["host"], options["port"]) as address:
            # Ends like Ctrl-C when a process manager asks or the terminal goes: so the others end too.
            for number in (signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.default_int_handler)
            self.greet(f"http://{options['host']}:{options['port']}")
            # Its own while it has the address: another `serve` may have the same data folder.
            self.counts = settings.DATA_DIR / "metrics" / f"{options['host']}-{options['port']}"
            process_files.empty(self.counts)
            web = [
                ProcessSlot(partial(children.web_server, address, options["threads"], self.counts))
                for _ in range(options["processes"])
            ]
            self.keep(web, [] if options["no_worker"] else [ProcessSlot(children.worker)])
        self.stdout.write("Ended.")

    def greet(self, here: str) -> None:
        self.stdout.write(f"Touchstone {settings.VERSION} on {here}/ (Ctrl-C ends it)")
        if first_steps.is_needed():
            link = f"{here}{reverse('first_steps')}?token={first_steps.link_token()}"
            self.stdout.write(f"Nobody is here yet. The first administrator begins at {link}")
        if os.geteuid() == ROOT:
            self.stderr.write(ROOT_ADVICE)
        self.stdout.flush()

    def keep(self, web: Sequence[ProcessSlot], others: Sequence[ProcessSlot]) -> None:
        """Keep a process in each slot, replacing those that die, until Ctrl-C.

        Raises CommandError if they die again and again, or no web server starts at all.
        """
        filled: list[ProcessSlot] = []
        try:
            for place in (*web, *others):
                place.fill()
                filled.append(place)
            while True:
                for place in filled:
                    self.look_after(place, seconds=LOOK_EVERY / len(filled))
                    if all(each.never_came_up() for each in web):
                        raise CommandError(
                            f"{death_message(web[0])} as soon as it was started; {SEE_MESSAGES}"
                        )
        except KeyboardInterrupt:
            pass  # how people end it
        finally:
            for place in filled:
                if place.again_at is None:
                    place.child.end(say=self.stdout.write)

    def look_after(self, place: ProcessSlot, *, seconds: float) -> None:
        """Wait `seconds` for the death of the slot's process, or fill the slot when it is due."""
        if place.again_at is not None and not place.is_due():
            time.sleep(seconds)
        elif place.again_at is not None:
            place.fill()
        elif place.child.has_ended_within(seconds=seconds):
            place.child.end(say=self.stdout.write)  # what is left of it
            process_files.forget(self.counts, place.child.process.pid)
            place.empty()
            if place.n_short_lives >= MOST_SHORT_LIVES:
                raise CommandError(
                    f"{death_message(place)} {MOST_SHORT_LIVES} times in a row as soon as it was started;"
                    f" {SEE_MESSAGES}"
                )
            self.stderr.write(f"{death_message(place)}; starting another")
            if place.is_due():
                place.fill()


def death_message(place: ProcessSlot) -> str:
    return f"the {place.child.name} has died (exit status {place.child.status})"


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at the address. Raises CommandError if that is impossible."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "no host's name"
        raise CommandError(
            f"{host}:{port} cannot be used ({why}): is Touchstone running already?"
            " Choose another with --port"
        ) from error
