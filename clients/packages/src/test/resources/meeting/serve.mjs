// Serves an order on Express or Hono, sends it the request of each key, and prints status, replay and body of each answer.
// Arguments: the server, the folder of the frameworks, URL of the ledger, path, keys.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [, , server, frameworks, ledger, path, ...keys] = process.argv;
const { resolve } = createRequire(`${frameworks}/any.js`);
const load = name => import(pathToFileURL(resolve(name)));
const { Idem } = await load("idem-once");
const { idempotency } = await load(`idem-once/${server}`);
const idem = await Idem.open(ledger);
const options = { principal: "anonymous" };
const done = id => ({ paid: id, by: server });

async function onExpress() {
  const { default: express } = await load("express");
  const app = express().use(express.json(), idempotency(idem, options));
  return app.post("/orders/:id/pay", (request, response) => response.status(201).json(done(request.params.id)));
}

async function onHono() {
  const { Hono } = await load("hono");
  const app = new Hono().use(idempotency(idem, options));
  app.post("/orders/:id/pay", c => c.json(done(c.req.param("id")), 201));
  return async (incoming, outgoing) => {
    const { method, headers } = incoming;
    const chunks = [];
    for await (const chunk of incoming) {
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    const response = await app.fetch(new Request(`http://shop${incoming.url}`, { method, headers, body }));
    outgoing.writeHead(response.status, [...response.headers].flat()).end(Buffer.from(await response.arrayBuffer()));
  };
}

const http = createServer(server === "express" ? await onExpress() : await onHono());
await new Promise(listening => http.listen(0, "127.0.0.1", listening));
for (const key of keys) {
  const headers = { "content-type": "application/json", "idempotency-key": key };
  const body = '{ "to": "Zo\\u00eb", "cents": 42e2 }';
  const answer = await fetch(`http://127.0.0.1:${http.address().port}${path}?a=1`, { method: "POST", headers, body });
  console.log("answer", answer.status, answer.headers.get("idempotent-replayed") === "true", await answer.text());
}
http.close();
http.closeAllConnections();
await idem.close();
