import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, it } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import axios from "axios";
import { type Call, connectionRefused } from "idem-once";
import OpenAI from "openai";
import { idem, newTask } from "./shop.js";

let charges = 0;
// It books at once, and answers with the status in the path; /0 answers never, and /1 closes the connection.
const remote = createServer((request, response) => {
  charges++;
  const status = Number(request.url?.split("/")[1]);
  if (status === 1) {
    request.socket.resetAndDestroy();
  } else if (status !== 0) {
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  }
});
await new Promise<void>(go => remote.listen(0, "127.0.0.1", go));
const at = (status: number) => `http://127.0.0.1:${(remote.address() as AddressInfo).port}/${status}`;

const MS = 100;
const once = { maxRetries: 0, apiKey: "none", timeout: MS };
const asks = { model: "m", max_tokens: 1, messages: [{ role: "user" as const, content: "charge" }] };
const anthropic = (status: number) => new Anthropic({ ...once, baseURL: at(status) }).messages.create(asks);
const openai = (status: number) => new OpenAI({ ...once, baseURL: at(status) }).chat.completions.create(asks);
const soon = (reason?: unknown) => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(reason), MS);
  return stop.signal;
};
class OwnError extends Error {
  readonly status = 500;
  readonly statusCode = 500;
}

/** Whether the probe is asked for a call that comes before the time limit of the first one is over. */
async function isProbedEarly(action: (call: Call) => Promise<unknown>): Promise<boolean> {
  charges = 0;
  const address = { scope: newTask(), key: "order-7", policy: { probeGrace: "1ms", wait: "0s" } } as const;
  const first = await idem.operation("charge", address).attempt(action);
  assert.equal(first.kind, "in_doubt", first.kind === "done" ? JSON.stringify(first.value) : "");
  let asked = false;
  const probe = () => {
    asked = true;
    return { happened: "found" };
  };
  for (let i = 0; i < 2; i++) {
    // Where the probe may be asked, that is so after the millisecond of the grace.
    await idem.operation("charge", { ...address, probe }).attempt(() => assert.fail("it ran twice"));
  }
  assert.equal(charges, 1);
  return asked;
}

describe("The end of a request", () => {
  after(() => {
    remote.closeAllConnections();
    remote.close();
  });

  const unseen: [string, () => Promise<unknown>][] = [
    ["axios with a time-out", () => axios.post(at(0), {}, { timeout: MS })],
    ["axios with a signal", () => axios.post(at(0), {}, { signal: soon() })],
    ["axios whose connection is reset", () => axios.post(at(1), {})],
    ["axios behind a gateway", () => axios.post(at(504), {})],
    ["Anthropic's time-out", () => anthropic(0)],
    ["OpenAI's time-out", () => openai(0)],
    ["fetch with a time-out", () => fetch(at(0), { method: "POST", signal: AbortSignal.timeout(MS) })],
    ["fetch with a reason of its own", () => fetch(at(0), { method: "POST", signal: soon("the user left") })],
    ["fetch whose connection is reset", () => fetch(at(1), { method: "POST" })],
    [
      "Promise.race",
      () =>
        Promise.race([
          fetch(at(0), { method: "POST" }),
          new Promise((_, fail) => setTimeout(() => fail(new Error("too slow")), MS)),
        ]),
    ],
    [
      "a status of the server's own",
      () => axios.post(at(0), {}, { timeout: MS }).catch(cause => Promise.reject(new OwnError("slow", { cause }))),
    ],
  ];
  for (const [name, act] of unseen) {
    it(`is not seen in ${name}`, async () => {
      assert.equal(await isProbedEarly(act), false);
    });
  }

  it("isProofOfNothingWhereTheClientHasTriedAgain", async () => {
    const closed = createServer();
    await new Promise<void>(go => closed.listen(0, "127.0.0.1", go));
    const { port } = closed.address() as AddressInfo;
    await new Promise(go => closed.close(go));
    const url = `http://127.0.0.1:${port}`;
    const refused = (asked: PromiseLike<unknown>) =>
      asked.then(
        () => assert.fail("it was not refused"),
        error => connectionRefused(error),
      );
    assert.equal(await refused(fetch(url)), true);
    assert.equal(await refused(axios.post(url)), true);
    assert.equal(await refused(new OpenAI({ ...once, baseURL: url }).chat.completions.create(asks)), false);
    assert.equal(await refused(new Anthropic({ ...once, baseURL: url }).messages.create(asks)), false);
  });

  const seen: [string, (call: Call) => Promise<unknown>][] = [
    ["an answer to axios", () => axios.post(at(500), {})],
    ["an answer to Anthropic's client", () => anthropic(500)],
    ["an answer to OpenAI's client", () => openai(500)],
    [
      "the cause of an error",
      () => axios.post(at(500), {}).catch(cause => Promise.reject(new Error("no receipt", { cause }))),
    ],
    [
      "what the action says",
      async call => {
        await fetch(at(200), { method: "POST" });
        call.remoteEnded();
        throw new Error("no receipt");
      },
    ],
  ];
  for (const [name, act] of seen) {
    it(`is seen in ${name}`, async () => {
      assert.equal(await isProbedEarly(act), true);
    });
  }
});
