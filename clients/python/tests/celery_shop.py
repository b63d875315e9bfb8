"""Tasks of a shop, for workers in processes of their own. FOLDER has the queue, the results and the effects."""

import os
import signal

from celery import Celery

from idem import Idem, NotExecuted
from idem.frameworks.celery import once_task

FOLDER = os.environ["FOLDER"]
idem = Idem.open("sqlite:" + os.path.join(FOLDER, "idem.db"))

app = Celery("shop", broker="filesystem://", backend="file://" + os.path.join(FOLDER, "results"))
app.conf.update(
    broker_transport_options={
        "data_folder_in": os.path.join(FOLDER, "queue"),
        "data_folder_out": os.path.join(FOLDER, "queue"),
        "processed_folder": os.path.join(FOLDER, "processed"),
        "store_processed": True,
    },
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
)


def effect(name):
    with open(os.path.join(FOLDER, "effects"), "a") as file:
        file.write(name + "\n")


def effects(name):
    try:
        with open(os.path.join(FOLDER, "effects")) as file:
            return file.read().split().count(name)
    except FileNotFoundError:
        return 0


def act(name, how):
    effect(name)
    if effects(name) > 1:
        return {"receipt": name}
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "lost":
        raise ConnectionError("the bank did not answer")
    if how == "refused":
        raise NotExecuted("the bank is closed")
    return {"receipt": name}


RETRIED = {"acks_late": True, "autoretry_for": (ConnectionError, NotExecuted), "default_retry_delay": 0}


@app.task(name="bare", **RETRIED)
def bare(name, how=""):
    return act(name, how)


@app.task(name="guarded", base=once_task(idem), **RETRIED)
def guarded(name, how=""):
    return act(name, how)


@app.task(name="by_hand", base=once_task(idem), bind=True, max_retries=2)
def by_hand(self, name):
    try:
        return act(name, "refused")
    except NotExecuted as nothing:
        raise self.retry(exc=nothing, countdown=0)


@app.task(name="asks_again", base=once_task(idem), bind=True, max_retries=2)
def asks_again(self, name):
    effect(name)
    if effects(name) == 1:
        self.retry(countdown=0)
    return {"receipt": name}


@app.task(name="by_order", base=once_task(idem, key=lambda name, how: name))
def by_order(name, how=""):
    return act(name, how)
