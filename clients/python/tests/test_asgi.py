"""Idempotency keys in front of real FastAPI applications, on a real server."""

import asyncio
import contextlib
import importlib.util
import json
import logging
import os
import threading
import unittest
import uuid

from idem import Idem, NotExecuted, Refused

from . import shared_ledger

ROUTES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "route-cases.jsonl")
MISSING = [name for name in ("fastapi", "httpx", "uvicorn") if importlib.util.find_spec(name) is None]


def setUpModule():
    if MISSING:
        raise unittest.SkipTest("not installed: " + ", ".join(MISSING))
    global idem
    idem = shared_ledger.opened()


class Case(unittest.TestCase):
    def setUp(self):
        from fastapi import FastAPI

        self.effects = []
        self.gate = threading.Event()
        self.app = FastAPI()
        self.user = uuid.uuid4().hex
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
        logging.getLogger("idem.http").setLevel(logging.CRITICAL)

    def guard(self, **rules):
        from idem.frameworks.asgi import IdempotencyKeys

        rules.setdefault("caller", lambda request: request.headers.get("x-user"))
        self.app.add_middleware(IdempotencyKeys, idem=idem, **rules)

    @contextlib.contextmanager
    def serving(self):
        """A client of the application, which is served by uvicorn at a port of its own."""
        import httpx
        import uvicorn

        server = uvicorn.Server(uvicorn.Config(self.app, port=0, log_level="critical", lifespan="off"))
        started = threading.Event()
        startup = server.startup

        async def told(*args, **kwargs):
            await startup(*args, **kwargs)
            started.set()

        server.startup = told
        thread = threading.Thread(target=server.run)
        thread.start()
        self.assertTrue(started.wait(60))
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            with httpx.Client(base_url="http://127.0.0.1:%d" % port, timeout=60) as client:
                yield client
        finally:
            self.gate.set()
            server.should_exit = True
            thread.join(60)

    def send(self, client, key="k", path="/orders", user=None, method="POST", headers=None, **more):
        headers = {"x-user": user or self.user, **({"idempotency-key": key} if key else {}), **(headers or {})}
        more = more or {"json": {"cents": 4200}}
        return client.request(method, path, headers=headers, **more)

    def problem(self, response, status, kind):
        self.assertEqual(status, response.status_code, response.text)
        self.assertEqual("application/problem+json", response.headers["content-type"])
        self.assertEqual("urn:idem:problem:" + kind, response.json()["type"])
        self.assertEqual(status, response.json()["status"])


class TimeOutTest(Case):
    """A client that times out and repeats its request."""

    def two_requests(self):
        import httpx

        @self.app.post("/orders")
        def order(payload: dict):
            self.effects.append(payload)
            self.gate.wait(60)
            return {"receipt": len(self.effects)}

        with self.serving() as client:
            with self.assertRaises(httpx.ReadTimeout):
                self.send(client, timeout=httpx.Timeout(60, read=0.3), json={"cents": 4200})
            self.gate.set()
            return self.send(client)

    def test_bare_it_has_two_effects(self):
        self.two_requests()
        self.assertEqual(2, len(self.effects))

    def test_guarded_it_has_one(self):
        self.guard()
        response = self.two_requests()
        self.assertEqual({"receipt": 1}, response.json())
        self.assertEqual(1, len(self.effects))


class KeysTest(Case):
    def setUp(self):
        super().setUp()

        @self.app.post("/orders")
        async def order(payload: dict):
            self.effects.append(payload)
            return {"receipt": len(self.effects)}

        @self.app.put("/orders/{number}")
        async def change(number: int, payload: dict):
            self.effects.append((number, payload))
            return {"changed": number}

        @self.app.get("/orders")
        async def orders():
            return self.effects

    def test_a_duplicate_gets_the_stored_response(self):
        self.guard()
        with self.serving() as client:
            first = self.send(client, '"a b"')
            again = self.send(client, '"a b"', content=b'{ "cents" : 42e2 }', headers={"content-type": "application/json"})
        self.assertEqual(first.content, again.content)
        self.assertNotIn("idempotent-replayed", first.headers)
        self.assertEqual("true", again.headers["idempotent-replayed"])
        self.assertEqual("no-store", again.headers["cache-control"])
        self.assertEqual(1, len(again.headers.get_list("date")), "the server sets it")
        self.assertGreaterEqual(int(again.headers["age"]), 0)
        for response in (first, again):
            self.assertEqual('"a b"', response.headers["idempotency-key"])
            self.assertIn("GMT", response.headers["idempotency-expires"])
        self.assertEqual(1, len(self.effects))

    def test_another_caller_never_gets_the_response(self):
        self.guard()
        with self.serving() as client:
            mine = self.send(client, user=self.user + "/ann")
            theirs = self.send(client, user=self.user + "/bob")
            self.problem(self.send(client, user="", headers={"x-user": ""}), 401, "principal-missing")
        self.assertEqual([1, 2], [mine.json()["receipt"], theirs.json()["receipt"]])

    def test_a_tenant_is_part_of_the_caller(self):
        self.guard(caller=lambda request: [request.headers.get("x-tenant", ""), request.headers["x-user"]])
        with self.serving() as client:
            receipts = [self.send(client, headers={"x-tenant": name}).json()["receipt"] for name in ("a", "b", "a")]
            self.problem(self.send(client), 401, "principal-missing")
        self.assertEqual([1, 2, 1], receipts)

    def test_without_a_caller_a_request_with_a_key_is_refused(self):
        """Else one who guesses a key would read the response of another."""
        self.guard(caller=None)
        with self.serving() as client:
            refused = self.send(client)
            self.problem(refused, 401, "principal-missing")
            self.assertEqual("Bearer", refused.headers["www-authenticate"])
            self.assertEqual(200, self.send(client, key=None).status_code)
        self.assertEqual(1, len(self.effects))

    def test_the_user_of_starlette_is_the_caller(self):
        from starlette.authentication import AuthCredentials, AuthenticationBackend, SimpleUser
        from starlette.middleware.authentication import AuthenticationMiddleware

        class ByHeader(AuthenticationBackend):
            async def authenticate(self, connection):
                name = connection.headers.get("x-user")
                return (AuthCredentials(["authenticated"]), SimpleUser(name)) if name else None

        self.guard(caller=None)
        self.app.add_middleware(AuthenticationMiddleware, backend=ByHeader())
        with self.serving() as client:
            receipts = [self.send(client, user=self.user + name).json()["receipt"] for name in ("a", "b", "a")]
            self.problem(self.send(client, headers={"x-user": ""}), 401, "principal-missing")
        self.assertEqual([1, 2, 1], receipts)

    NO_NAMES = (" ", [" ", "ann"], None, "", object(), [None], len)

    def refused(self, given):
        with self.serving() as client:
            for each in self.NO_NAMES:
                given[:] = [each]
                # The server closes a connection after a 500, which may meet the next request on it.
                self.assertIn(self.send(client, headers={"connection": "close"}).status_code, (401, 500))
        self.assertEqual([], self.effects)

    def test_a_caller_that_is_no_text_is_no_caller(self):
        given = []
        self.guard(caller=lambda request: given[0])
        self.refused(given)

    def test_a_user_of_starlette_without_a_name_is_no_caller(self):
        """All users whose identity is an object without a text of its own were one."""
        from starlette.authentication import AuthCredentials, AuthenticationBackend, SimpleUser
        from starlette.middleware.authentication import AuthenticationMiddleware

        given = []

        class User(SimpleUser):
            identity = property(lambda self: given[0])

        class Known(AuthenticationBackend):
            async def authenticate(self, connection):
                return AuthCredentials(["authenticated"]), User(" ")

        self.guard(caller=None)
        self.app.add_middleware(AuthenticationMiddleware, backend=Known())
        self.refused(given)

    def test_a_key_with_another_request_is_refused(self):
        self.guard()
        with self.serving() as client:
            self.send(client)
            self.problem(self.send(client, json={"cents": 1}), 422, "key-reused")
            self.problem(self.send(client, path="/orders?x=1"), 422, "key-reused")
            self.send(client, "other", path="/orders/1", method="PUT")
            self.problem(self.send(client, "other", path="/orders/2", method="PUT"), 422, "key-reused")
        self.assertEqual(2, len(self.effects))

    def test_a_missing_or_malformed_key_is_told(self):
        self.guard(key_required=True)
        with self.serving() as client:
            self.problem(self.send(client, key=None), 400, "key-missing")
            self.problem(self.send(client, key="a b"), 400, "key-malformed")
            self.assertEqual(200, self.send(client, key=None, method="GET").status_code)
        self.assertEqual([], self.effects)

    def test_a_body_that_is_too_large_is_refused(self):
        self.guard(largest_body=100)
        with self.serving() as client:
            self.problem(self.send(client, content=b"x" * 101), 413, "body-too-large")
        self.assertEqual([], self.effects)

    def test_an_upload_reaches_the_handler_whole(self):
        from starlette.requests import Request

        @self.app.post("/uploads")
        async def upload(request: Request):
            self.effects.append(len(await request.body()))
            return {"bytes": self.effects[-1]}

        self.guard()
        with self.serving() as client:
            for _ in range(2):
                response = self.send(client, path="/uploads", content=b"x" * (3 << 20))
                self.assertEqual({"bytes": 3 << 20}, response.json())
        self.assertEqual(1, len(self.effects))


class RoutesTest(Case):
    """The operation of a request is the template of its route, as in all languages."""

    def served(self, path, key="k"):
        with self.serving() as client:
            return self.send(client, key, path=path)

    def named(self, template, key="k"):
        found = idem.find("POST " + template, key, scope="http:" + self.user)
        self.assertIsNotNone(found, "no entry at POST " + template)

    def routed(self, routes, *patterns):
        for pattern in patterns:
            routes.post(pattern)(self.work)

    async def work(self):
        self.effects.append(1)
        return len(self.effects)

    def test_the_operation_is_the_template_of_the_route(self):
        from fastapi import FastAPI

        with open(ROUTES, encoding="utf-8") as file:
            cases = [json.loads(line) for line in file]
        self.assertGreater(len(cases), 10)
        for case in cases:
            if "fastapi" in case:
                with self.subTest(case["name"]):
                    self.app, self.user = FastAPI(), uuid.uuid4().hex
                    # With the default types of parameters, each is a query's.
                    self.app.router.add_route(case["fastapi"], self.plain, methods=["POST"])
                    self.guard()
                    self.assertEqual(201, self.served(case["path"]).status_code)
                    self.named(case["template"])

    async def plain(self, request):
        from starlette.responses import PlainTextResponse

        return PlainTextResponse("done", 201)

    def test_a_mount_and_the_prefix_of_a_router_are_part_of_it(self):
        from fastapi import APIRouter, FastAPI

        inner, router = FastAPI(), APIRouter()
        self.routed(inner, "/orders/{number}")
        self.routed(router, "/{number}")
        inner.include_router(router, prefix="/bills")
        self.app.mount("/shops/{shop}", inner)
        self.guard()
        with self.serving() as client:
            self.send(client, path="/shops/a/orders/42")
            self.named("/shops/{shop}/orders/{number}")
            self.send(client, path="/shops/a/bills/7")
            self.named("/shops/{shop}/bills/{number}")
            self.send(client, path="/shops/a/nowhere/1")
            self.named("/shops/a/nowhere/1")

    def test_an_application_that_is_mounted_or_wrapped_has_the_whole_path(self):
        from fastapi import FastAPI
        from idem.frameworks.asgi import IdempotencyKeys

        outer = FastAPI()
        self.routed(self.app, "/orders/{number}")
        self.guard()
        outer.mount("/shop", self.app)
        self.app = outer
        self.served("/shop/orders/42")
        self.named("/shop/orders/{number}")
        self.app = FastAPI()
        self.routed(self.app, "/bills/{number}")
        self.app = IdempotencyKeys(self.app, idem, caller=lambda request: request.headers["x-user"])
        self.served("/bills/7")
        self.named("/bills/{number}")

    def test_a_guard_inside_of_a_mount_has_the_routes_that_it_guards(self):
        from fastapi import FastAPI
        from idem.frameworks.asgi import IdempotencyKeys

        outer = FastAPI()
        self.routed(self.app, "/orders/{number}")
        outer.mount("/shop", IdempotencyKeys(self.app, idem, caller=lambda request: request.headers["x-user"]))
        self.routed(outer, "/{any}/{number}")
        self.app = outer
        self.served("/shop/orders/42")
        self.named("/shop/orders/{number}")

    def test_a_guard_inside_of_another_leaves_the_call_to_it(self):
        """Its call would be one inside of itself."""
        @self.app.post("/orders/{order}")
        async def order(order: str, payload: dict):
            self.effects.append(order)
            return {"receipt": len(self.effects)}

        self.guard(key_required=True)
        self.guard()
        with self.serving() as client:
            first = self.send(client, path="/orders/42")
            again = self.send(client, path="/orders/42")
        self.assertEqual((200, {"receipt": 1}), (first.status_code, first.json()))
        self.assertEqual(("true", {"receipt": 1}), (again.headers.get("idempotent-replayed"), again.json()))
        self.assertEqual(["42"], self.effects)
        entry = idem.find("POST /orders/{order}", "k", scope="http:" + self.user)
        self.assertEqual(("complete", 1), (entry.state, entry.attempt))

    def test_two_paths_are_never_one_call(self):
        @self.app.post("/files/{name:path}")
        async def file(name: str):
            self.effects.append(name)
            return name

        self.guard()
        with self.serving() as client:
            self.send(client, path="/files/a/42")
            again = self.send(client, path="/files/a/%34%32")
            self.assertEqual("true", again.headers["idempotent-replayed"])
            for other in ("/files/a/43", "/files/a%2F42", "/files/a/42/", "/files/M%FCller"):
                self.problem(self.send(client, path=other), 422, "key-reused")
            self.send(client, "latin", path="/files/M%FCller")
            self.problem(self.send(client, "latin", path="/files/M%F6ller"), 422, "key-reused")
        self.assertEqual(2, len(self.effects))

    def test_a_path_that_middleware_has_rewritten_counts_with_the_one_that_was_sent(self):
        class Tenants:
            def __init__(self, app):
                self.app = app

            async def __call__(self, scope, receive, send):
                for name, value in scope["headers"]:
                    if name == b"x-tenant":
                        scope["path"] = "/%s%s" % (value.decode(), scope["path"])
                await self.app(scope, receive, send)

        self.routed(self.app, "/{tenant}/orders")
        self.guard()
        self.app.add_middleware(Tenants)
        with self.serving() as client:
            self.assertEqual(200, self.send(client, headers={"x-tenant": "acme"}).status_code)
            again = self.send(client, headers={"x-tenant": "acme"})
            self.assertEqual("true", again.headers["idempotent-replayed"])
            self.problem(self.send(client, headers={"x-tenant": "other"}), 422, "key-reused")
        self.named("/{tenant}/orders")

    def test_a_path_without_a_route_that_can_be_read_in_two_ways_is_refused(self):
        self.guard()
        for path in ("/files/a%2Fb", "/files/a%5cb", "/files/a%00"):
            self.problem(self.served(path), 400, "path-ambiguous")


class EndingsTest(Case):
    def test_a_wrong_policy_is_refused_at_once(self):
        from idem.frameworks.asgi import IdempotencyKeys

        with self.assertRaisesRegex(Refused, "no option 'timelimit'"):
            IdempotencyKeys(self.app, idem=idem, policy={"timelimit": "5s"})

    def test_an_exception_leaves_the_key_in_doubt(self):
        @self.app.post("/orders")
        def order(payload: dict):
            self.effects.append(payload)
            raise RuntimeError("lost")

        self.guard()
        with self.serving() as client:
            # After an exception, uvicorn closes the connection without a word of it.
            self.assertEqual(500, self.send(client, headers={"connection": "close"}).status_code)
            self.problem(self.send(client), 409, "in-doubt")
        self.assertEqual(1, len(self.effects))

    def test_a_503_goes_out_and_is_not_replayed(self):
        from fastapi import HTTPException

        @self.app.post("/orders")
        def order(payload: dict):
            self.effects.append(payload)
            raise HTTPException(503, "the bank did not answer")

        self.guard()
        with self.serving() as client:
            self.assertEqual(503, self.send(client).status_code)
            self.problem(self.send(client), 409, "in-doubt")
        self.assertEqual(1, len(self.effects))

    def test_a_handler_that_did_nothing_frees_the_key(self):
        @self.app.post("/orders")
        def order(payload: dict):
            self.effects.append(payload)
            if len(self.effects) == 1:
                raise NotExecuted("the queue is full")
            return {"receipt": len(self.effects)}

        self.guard()
        with self.serving() as client:
            first = self.send(client)
            self.problem(first, 503, "not-executed")
            self.assertEqual("1", first.headers["retry-after"])
            self.assertEqual({"receipt": 2}, self.send(client).json())
            self.assertEqual({"receipt": 2}, self.send(client).json())
        self.assertEqual(2, len(self.effects))

    def test_a_declared_status_frees_the_key(self):
        from fastapi import HTTPException

        @self.app.post("/orders")
        def order(payload: dict):
            self.effects.append(payload)
            if len(self.effects) == 1:
                raise HTTPException(429, "later")
            return {"receipt": len(self.effects)}

        self.guard(released_on=(429,))
        with self.serving() as client:
            self.assertEqual([429, 200], [self.send(client).status_code for _ in range(2)])

    def test_a_refused_request_stays_refused(self):
        self.app.post("/orders")(lambda cents: self.effects.append(cents))
        self.guard()
        with self.serving() as client:
            first, again = self.send(client), self.send(client)
        self.assertEqual([422, 422], [first.status_code, again.status_code])
        self.assertEqual("true", again.headers["idempotent-replayed"])

    def test_a_step_that_was_refused_is_no_answer_for_the_whole(self):
        """The step's Conflict was answered as if the request had conflicted, after others had run."""

        @self.app.post("/orders")
        def order(payload: dict):
            self.effects.append(payload)
            step = dict(scope=self.user, key="step")
            idem.operation("charge", identity={"cents": 1}, **step).run(lambda call: 1)
            idem.operation("charge", identity={"cents": 2}, **step).run(lambda call: 2)

        self.guard()
        with self.serving() as client:
            first = self.send(client)
            self.problem(first, 409, "in-doubt")
            self.assertIn("A step of this request", first.json()["detail"])
            self.problem(self.send(client), 409, "in-doubt")
        self.assertEqual(1, len(self.effects))

    def test_a_duplicate_of_a_running_request_waits_or_is_told(self):
        began = threading.Event()

        @self.app.post("/orders")
        def order(payload: dict):
            self.effects.append(payload)
            began.set()
            self.gate.wait(60)
            return {"receipt": len(self.effects)}

        self.guard(waiters=0)
        answers = []
        with self.serving() as client:
            thread = threading.Thread(target=lambda: answers.append(self.send(client)))
            thread.start()
            self.assertTrue(began.wait(60))
            refused = self.send(client)
            self.problem(refused, 409, "in-flight")
            self.assertEqual("1", refused.headers["retry-after"])
            self.gate.set()
            thread.join(60)
        self.assertEqual({"receipt": 1}, answers[0].json())

    def test_a_person_gives_the_response(self):
        @self.app.post("/orders")
        def order(payload: dict):
            raise RuntimeError("lost")

        self.guard()
        with self.serving() as client:
            self.send(client)
            entry = idem.find("POST /orders", "k", scope="http:" + self.user)
            idem.resolve(entry, happened=True, result={"order": 7}, who="ann", why="seen in the list")
            given = self.send(client)
        self.assertEqual((200, {"order": 7}), (given.status_code, given.json()))

    def test_a_ledger_that_does_not_answer_runs_nothing(self):
        @self.app.post("/orders")
        def order(payload: dict):
            self.effects.append(payload)

        from idem.frameworks.asgi import IdempotencyKeys

        gone = Idem.open("sqlite:/nowhere/idem.db", command="/nowhere/idem")
        self.app.add_middleware(IdempotencyKeys, idem=gone, caller=lambda request: "ann")
        with self.serving() as client, self.assertLogs("idem.http", "ERROR") as said:
            refused = self.send(client)
        self.assertIn("no program '/nowhere/idem'", said.output[0])
        self.problem(refused, 503, "ledger-unavailable")
        self.assertEqual("5", refused.headers["retry-after"])
        self.assertEqual([], self.effects)


class StreamsTest(Case):
    def test_a_long_or_streamed_response_is_not_kept(self):
        from starlette.responses import StreamingResponse

        async def events():
            yield b"data: 1\n\n"
            yield b"data: 2\n\n"

        @self.app.post("/events")
        async def stream():
            self.effects.append("events")
            return StreamingResponse(events(), media_type="text/event-stream")

        @self.app.post("/long")
        def long():
            self.effects.append("long")
            return {"text": "x" * 2000}

        self.guard(largest_stored_body=1000)
        with self.serving() as client:
            self.assertEqual("data: 1\n\ndata: 2\n\n", self.send(client, path="/events").text)
            self.problem(self.send(client, path="/events"), 409, "result-not-kept")
            self.assertEqual(2000, len(self.send(client, path="/long").json()["text"]))
            self.problem(self.send(client, path="/long"), 409, "result-not-kept")
        self.assertEqual(["events", "long"], self.effects)

    def test_a_background_task_runs_after_the_response_was_recorded(self):
        from fastapi import BackgroundTasks

        @self.app.post("/orders")
        def order(payload: dict, background: BackgroundTasks):
            background.add_task(self.gate.wait, 60)
            self.effects.append(payload)
            return {"receipt": 1}

        self.guard()
        with self.serving() as client:
            self.assertEqual({"receipt": 1}, self.send(client).json())
            self.assertEqual("true", self.send(client).headers["idempotent-replayed"])
            self.gate.set()
        self.assertEqual(1, len(self.effects))

    def test_a_request_that_is_cancelled_while_it_runs_is_in_doubt(self):
        """For instance by a server that shuts down."""
        from idem.frameworks.asgi import IdempotencyKeys

        cancelled = []

        async def app(scope, receive, send):
            self.began.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.append(True)
                raise

        guarded = IdempotencyKeys(app, idem, caller=lambda request: self.user)
        headers = [(b"idempotency-key", b"k")]
        scope = {"type": "http", "method": "POST", "path": "/orders", "query_string": b"", "headers": headers}
        sent = []

        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message):
            sent.append(message)

        async def main():
            self.began = asyncio.Event()
            task = asyncio.ensure_future(guarded(scope, receive, send))
            await asyncio.wait_for(self.began.wait(), 60)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            await guarded(scope, receive, send)

        asyncio.run(main())
        self.assertEqual([True], cancelled)
        self.assertEqual(409, sent[0]["status"])
        self.assertIn("in-doubt", json.loads(sent[1]["body"])["type"])


if __name__ == "__main__":
    unittest.main()
