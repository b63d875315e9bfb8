"""
Times calls from Python on a SQLite ledger, over the pipe and over the socket. Run by hand, with IDEM set:

    PYTHONPATH=src python3 bench/calls.py [calls]
"""

import asyncio
import json
import os
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from idem import Idem


def timed(count, call):
    times = []
    for i in range(count):
        began = time.perf_counter()
        call(i)
        times.append((time.perf_counter() - began) * 1000)
    cuts = statistics.quantiles(times, n=100)
    return "p50 %.3f ms, p99 %.3f ms" % (cuts[49], cuts[98])


def nothing(call):
    return {"id": "ch_1"}


async def nothing_async(call):
    return {"id": "ch_1"}


def threads(idem, count, workers):
    numbers = iter(range(count))
    lock = threading.Lock()

    def work():
        while True:
            with lock:
                n = next(numbers, None)
            if n is None:
                return
            idem.operation("threads", scope="bench", identity={"n": n}).run(nothing)

    all_threads = [threading.Thread(target=work) for _ in range(workers)]
    began = time.perf_counter()
    for each in all_threads:
        each.start()
    for each in all_threads:
        each.join()
    return time.perf_counter() - began


def in_flight(idem, count):
    """So many actions run at one time."""

    async def main():
        running = 0
        all_there = asyncio.Event()

        async def act(call):
            nonlocal running
            running += 1
            if running == count:
                all_there.set()
            await all_there.wait()
            return running

        began = time.perf_counter()
        calls = (idem.operation("flight", scope="bench", identity={"n": n}).run_async(act) for n in range(count))
        await asyncio.gather(*calls)
        return time.perf_counter() - began

    return asyncio.run(main())


async def loop_replays(idem, count):
    times = []
    for _ in range(count):
        began = time.perf_counter()
        await idem.operation("charge", scope="bench", identity={"n": 0}).run_async(nothing_async)
        times.append((time.perf_counter() - began) * 1000)
    return "p50 %.3f ms" % statistics.median(times)


def measure(idem, count):
    way = idem.about().way
    timed(count, lambda i: idem.operation("warm", scope="bench", identity={"n": i}).run(nothing))
    charge = "charge"
    print("%s: first call %s" % (way, timed(count, lambda i: idem.operation(charge, scope="bench", identity={"n": i}).run(nothing))))
    print("%s: replay     %s" % (way, timed(count, lambda i: idem.operation(charge, scope="bench", identity={"n": i}).run(nothing))))
    print("%s: replay in an event loop %s" % (way, asyncio.run(loop_replays(idem, count))))
    took = threads(idem, count, 16)
    print("%s: %d first calls of 16 threads: %.0f a second" % (way, count, count / took))
    took = in_flight(idem, 1000)
    print("%s: 1000 calls in flight at once: %.2f s" % (way, took))


def floor(folder, count):
    """Replays without a client: the claim is written to the pipe of a server, and its answer read, by hand."""
    url = "sqlite:%s/floor.db" % folder
    server = subprocess.Popen(
        [os.environ.get("IDEM", "idem"), "serve", "--stdio"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=dict(os.environ, IDEM_LEDGER=url),
    )

    def ask(method, **params):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        server.stdin.write(json.dumps(request).encode() + b"\n")
        server.stdin.flush()
        return json.loads(server.stdout.readline())["result"]

    def claim(number):
        return ask("claim", operation="charge", scope="bench", identity={"n": 0}, attempt_id=secrets.token_hex(16))

    ask("hello", protocol=1, ledger=url)
    ask("settle", ticket=claim(0)["ticket"], **{"as": "complete", "result": {"id": "ch_1"}})
    timed(count, claim)
    print("floor: replay, written to a pipe by hand %s" % timed(count, claim))
    server.stdin.close()
    server.wait()
    server.stdout.close()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory() as folder:
        os.environ["IDEM_SOCKET"] = folder + "/none.sock"
        floor(folder, count)
        with Idem.open("sqlite:%s/pipe.db" % folder) as idem:
            measure(idem, count)
        os.environ["IDEM_SOCKET"] = path = folder + "/s.sock"
        url = "sqlite:%s/socket.db" % folder
        server = subprocess.Popen(
            [os.environ.get("IDEM", "idem"), "serve", "--socket", path, "--ledger", url],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while True:
                with socket.socket(socket.AF_UNIX) as trial:
                    if trial.connect_ex(path) == 0:
                        break
                time.sleep(0.05)
            with Idem.open(url) as idem:
                measure(idem, count)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
