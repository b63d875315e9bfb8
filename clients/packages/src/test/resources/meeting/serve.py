"""Serves an order on FastAPI, sends it the request of each key, and prints status, replay and body of each answer.

Arguments: URL of the ledger, path, keys."""
import json, sys, threading, urllib.error, urllib.request
import uvicorn
from fastapi import FastAPI
from idem import Idem
from idem.frameworks.asgi import IdempotencyKeys

ledger, path, *keys = sys.argv[1:]
idem = Idem.open(ledger)
app = FastAPI()
app.add_middleware(IdempotencyKeys, idem=idem, caller=lambda request: None, principal_required=False)


@app.post("/orders/{id}/pay", status_code=201)
def pay(id: str, payload: dict) -> dict:
    return {"paid": id, "by": "fastapi"}


server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical", lifespan="off"))
started = threading.Event()
startup = server.startup


async def told(*args, **kwargs):
    await startup(*args, **kwargs)
    started.set()


server.startup = told
thread = threading.Thread(target=server.run)
thread.start()
started.wait(60)
port = server.servers[0].sockets[0].getsockname()[1]
for key in keys:
    request = urllib.request.Request(
        "http://127.0.0.1:%d%s?a=1" % (port, path),
        data='{"cents":4200.0,"to":"Zoë"}'.encode("utf-8"),
        headers={"Content-Type": "application/json; charset=utf-8", "Idempotency-Key": '"%s"' % key},
    )
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as refused:
        answer = refused
    replayed = json.dumps(answer.headers.get("Idempotent-Replayed") == "true")
    print("answer", answer.status, replayed, answer.read().decode("utf-8"))
server.should_exit = True
thread.join()
idem.close()
