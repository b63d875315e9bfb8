"""The driver of the conformance harness, as docs/protocol.md describes it. With IDEM_ASYNC=1 all jobs run in one loop."""

import asyncio
import json
import os
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src"))

from idem import Happened, Idem, IdemError, NotExecuted, Refused  # noqa: E402

EFFECTS = os.environ["IDEM_EFFECTS"]
_writing = threading.Lock()


def milliseconds(name, default):
    return int(os.environ.get(name, default)) / 1000


def open_idem():
    return Idem.open(
        os.environ["IDEM_LEDGER"],
        command=json.loads(os.environ["IDEM_SERVE"]),
        resend=milliseconds("IDEM_RESEND_MS", 2000),
        give_up=milliseconds("IDEM_GIVE_UP_MS", 10000),
        settle_for=milliseconds("IDEM_SETTLE_MS", 30000),
    )


def effect(action, key):
    file = os.open(EFFECTS, os.O_WRONLY | os.O_APPEND)
    try:
        os.write(file, ("%s %s\n" % (action["name"], key)).encode())
    finally:
        os.close(file)


def end(action):
    if action["ends"] == "definite_error":
        raise NotExecuted("nothing happened")
    if action["ends"] == "other_error":
        raise OSError("the connection was reset")
    return action.get("value")


def waits(action):
    if action.get("until") is None or os.path.exists(action["until"]):
        return False
    if not os.path.exists(EFFECTS):
        raise OSError("the scenario is over")
    return True


def operation(idem, job):
    probe = job.get("probe")

    def ask(doubted):
        says = probe["says"]
        return Happened(probe.get("value")) if says == "happened" else NotExecuted if says == "not_executed" else None

    names = ("scope", "key", "identity", "content", "policy", "arguments")
    given = {name: job[name] for name in names if job.get(name) is not None}
    return idem.operation(job["operation"], probe=ask if probe else None, wait=job.get("wait_ms", 0) / 1000, **given)


def key_of(job, call):
    return job.get("key") if job.get("policy", {}).get("side_effect") == "read" else call.key


def blocking(idem, job):
    def act(call):
        effect(job["action"], key_of(job, call))
        while waits(job["action"]):
            time.sleep(0.01)
        return end(job["action"])

    return operation(idem, job).attempt(act)


async def looping(idem, job):
    async def act(call):
        effect(job["action"], key_of(job, call))
        while waits(job["action"]):
            await asyncio.sleep(0.01)
        return end(job["action"])

    return await operation(idem, job).attempt_async(act)


def told(job, outcome):
    word = outcome.kind
    if word == "unrecorded" and outcome.answer.get("answer") == "stale":
        word = "stale"
    tell({"job": job["job"], "outcome": word, "value": outcome.value, "message": outcome.message})


def tell(line):
    with _writing:
        os.write(1, (json.dumps(line) + "\n").encode())


def failed(job, error):
    if not isinstance(error, Refused):
        sys.stderr.write("%s: %s\n" % (type(error).__name__, error))
    tell({"job": job["job"], "outcome": "error", "message": str(error)})


def do(idem, job):
    try:
        outcome = blocking(idem, job)
    except (IdemError, Exception) as e:
        failed(job, e)
    else:
        told(job, outcome)


async def do_async(idem, job):
    try:
        outcome = await looping(idem, job)
    except (IdemError, Exception) as e:
        failed(job, e)
    else:
        told(job, outcome)


def main():
    with open_idem() as idem:
        for line in sys.stdin:
            threading.Thread(target=do, args=(idem, json.loads(line)), daemon=True).start()


async def main_async():
    loop = asyncio.get_running_loop()
    lines = asyncio.Queue()

    def read():
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    tasks = set()
    with open_idem() as idem:
        while True:
            line = await lines.get()
            if line is None:
                break
            task = asyncio.ensure_future(do_async(idem, json.loads(line)))
            tasks.add(task)
            task.add_done_callback(tasks.discard)


if __name__ == "__main__":
    if os.environ.get("IDEM_ASYNC"):
        asyncio.run(main_async())
    else:
        main()
