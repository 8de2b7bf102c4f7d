"""What a process of the web server does before its first request."""

import gc

from config import web


def test_what_pages_are_made_with_is_passed_over_by_the_garbage_collector():
    before = gc.get_freeze_count()
    made_before = [[] for _ in range(1000)]

    web.exempt_modules_from_collection()

    assert gc.get_freeze_count() >= before + len(made_before)


def test_a_process_does_so_before_it_answers(monkeypatch, tmp_path):
    done = []
    monkeypatch.setattr(web, "exempt_modules_from_collection", lambda: done.append("exempted"))
    monkeypatch.setattr(web, "create_server", lambda *_: Server(done))
    monkeypatch.setattr(web.signal, "signal", lambda *_: None)
    monkeypatch.setattr(web.threading, "Thread", lambda **_: Nothing())
    monkeypatch.setattr(web.socket, "socket", lambda **_: None)
    monkeypatch.setattr(web.process_files, "use", lambda _: True)
    monkeypatch.setattr(web.temporary_files, "use_data_folder", lambda: None)

    web.main(3, 1, tmp_path)

    assert done == ["exempted", "answers"]


class Nothing:
    def __getattr__(self, _):
        return lambda *_args, **_kwargs: None


class Server:
    task_dispatcher = Nothing()

    def __init__(self, done):
        self.done = done

    def run(self):
        self.done.append("answers")
