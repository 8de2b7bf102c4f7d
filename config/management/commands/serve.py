import signal
import socket
import threading
from argparse import ArgumentParser
from typing import Any

import waitress
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.core.wsgi import get_wsgi_application
from django.urls import reverse

from accounts.actions import first_steps
from activity.commands import TouchstoneCommand, require_migrated, whole_number
from config.worker import Worker
from pages.middleware import MB


class Command(TouchstoneCommand):
    help = "The web server and a worker beside it. Ctrl-C ends both."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        parser.add_argument("--port", type=whole_number(1, 65535), default=8000)
        parser.add_argument(
            "--threads", type=whole_number(1, 1000), default=8, help="requests at the same time"
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
        # Before the application is made: it looks at the files once, when it begins.
        call_command("collectstatic", interactive=False, verbosity=0)
        application = get_wsgi_application()
        with listening(options["host"], options["port"]) as address:
            # Ends like Ctrl-C when a process manager asks or the terminal goes: so the worker ends too.
            for number in (signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.default_int_handler)
            server = waitress.create_server(
                application,
                sockets=[address],
                threads=options["threads"],
                # What is a little too large gets a page that says so; what is more, a bare refusal.
                max_request_body_size=2 * settings.MOST_UPLOAD_MB * MB,
                **behind_proxies(),
            )
            here = f"http://{options['host']}:{options['port']}"
            self.stdout.write(f"Touchstone {settings.VERSION} on {here}/ (Ctrl-C ends it)")
            if first_steps.are_due():
                link = f"{here}{reverse('first_steps')}?token={first_steps.link_token()}"
                self.stdout.write(f"Nobody is here yet. The first administrator begins at {link}")
            self.stdout.flush()
            try:
                if options["no_worker"]:
                    server.run()
                else:
                    self.run_beside_a_worker(server)
            except KeyboardInterrupt:
                pass  # how people end it
            finally:
                server.task_dispatcher.shutdown()
        self.stdout.write("Ended.")

    def run_beside_a_worker(self, server: Any) -> None:
        """Serve from a thread; this one looks after the worker and hears Ctrl-C."""
        web = threading.Thread(target=server.run, daemon=True)
        worker = Worker.started()
        try:
            web.start()
            while web.is_alive():
                if worker.ended_within(seconds=1):
                    worker = self.another(worker)
            raise CommandError("the web server has ended by itself; its messages above say why")
        finally:
            worker.end(say=self.stdout.write)

    def another(self, worker: Worker) -> Worker:
        """A new worker for one that died, unless that would go on and on."""
        worker.end(say=self.stdout.write)  # what is left of it
        died = f"the worker has died (exit status {worker.status})"
        if worker.was_short_lived():
            raise CommandError(f"{died} as soon as it was started; its messages above say why")
        self.stderr.write(f"{died}; starting another")
        return Worker.started()


def behind_proxies() -> dict[str, Any]:
    """Whom to believe on where a request comes from: as many proxies as there are, or nobody."""
    if not settings.N_PROXIES:
        return {}
    return {
        "trusted_proxy": "*",
        "trusted_proxy_count": settings.N_PROXIES,
        "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"},
    }


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
