import threading, time
from django.db import connection, connections
from django.utils import timezone
from activity.actions import jobs, running
from activity.models import *
from tests.activity.handling import carved


def in_thread(f):
    def g():
        try:
            f()
        finally:
            connections.close_all()

    t = threading.Thread(target=g)
    t.start()
    return t


def test_epq(shared_database, job, work):
    from django.db import transaction

    running.plan(job, work.handler)
    a = running.lease(job, "A")
    Chunk.objects.filter(pk=a.pk).update(leased_until=timezone.now())
    held, go = threading.Event(), threading.Event()

    def b():
        with transaction.atomic():
            running.lease(job, "B")
            held.set()
            time.sleep(0.5)

    t = in_thread(b)
    held.wait(5)
    try:
        with transaction.atomic():
            running.mark_done(a)
        lost = False
    except running.LeaseLostError:
        lost = True
    t.join()
    a.refresh_from_db()
    print(a.state, a.worker, lost)
    assert lost


def test_double(shared_database, job, work):
    from django.db import transaction

    running.plan(job, work.handler)
    a = running.lease(job, "A")
    held, go = threading.Event(), threading.Event()
    n = []

    def b():
        with transaction.atomic():
            running.mark_done(a)
            n.append(1)
            held.set()
            time.sleep(0.5)

    t = in_thread(b)
    held.wait(5)
    try:
        with transaction.atomic():
            running.mark_done(a)
            n.append(2)
        lost = False
    except running.LeaseLostError:
        lost = True
    t.join()
    assert n == [1]
