import os
import signal
import socket
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from accounts.actions import first_steps
from activity.commands import TouchstoneCommand, require_migrated, whole_number
from config import children
from config.children import Child

LOOK_EVERY = 1.0  # seconds: whether everybody is alive
PROCESSES = min(os.cpu_count() or 1, 4)


class Command(TouchstoneCommand):
    help = "The web server and a worker beside it. Ctrl-C ends both."

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
            listening(options["host"], options["port"]).close()
            return
        require_migrated()
        # Before an application is made: it looks at the files once, when it begins.
        call_command("collectstatic", interactive=False, verbosity=0)
        with listening(options["host"], options["port"]) as address:
            # Ends like Ctrl-C when a process manager asks or the terminal goes: so the others end too.
            for number in (signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.default_int_handler)
            self.greet(f"http://{options['host']}:{options['port']}")
            kinds = [partial(children.web, address, options["threads"])] * options["processes"]
            self.keep(kinds if options["no_worker"] else [*kinds, children.worker])
        self.stdout.write("Ended.")

    def greet(self, here: str) -> None:
        self.stdout.write(f"Touchstone {settings.VERSION} on {here}/ (Ctrl-C ends it)")
        if first_steps.are_due():
            link = f"{here}{reverse('first_steps')}?token={first_steps.link_token()}"
            self.stdout.write(f"Nobody is here yet. The first administrator begins at {link}")
        self.stdout.flush()

    def keep(self, starts: Sequence[Callable[[], Child]]) -> None:
        """A process of each kind, and a new one for each that dies, until Ctrl-C."""
        running: list[Child] = []
        try:
            running += [start() for start in starts]
            while True:
                for n, start in enumerate(starts):
                    if running[n].ended_within(seconds=LOOK_EVERY / len(starts)):
                        running[n] = self.another(running[n], start)
        except KeyboardInterrupt:
            pass  # how people end it
        finally:
            for child in running:
                child.end(say=self.stdout.write)

    def another(self, dead: Child, start: Callable[[], Child]) -> Child:
        """A new process for one that died, unless that would go on and on."""
        dead.end(say=self.stdout.write)  # what is left of it
        died = f"the {dead.name} has died (exit status {dead.status})"
        if dead.was_short_lived():
            raise CommandError(f"{died} as soon as it was started; its messages above say why")
        self.stderr.write(f"{died}; starting another")
        return start()


def listening(host: str, port: int) -> socket.socket:
    """The address, held. Raises CommandError where it is not to be had."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "no host's name"
        raise CommandError(
            f"{host}:{port} cannot be used ({why}): is Touchstone running already?"
            " Choose another with --port"
        ) from error
