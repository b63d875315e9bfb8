// A server made with version 2 of the TypeScript SDK. It speaks both kinds of revisions, and has what the conformance
// suite asks for. Arguments: 'stdio' or 'http', and the file in which effects are counted. Over HTTP it listens on a
// free port, and prints its URL.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  acceptedContent,
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  localhostAllowedHostnames,
  McpServer,
  ResourceTemplate,
  validateHostHeader,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [transport, effects] = process.argv.slice(2);
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const AUDIO = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const states = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)) });

const text = words => ({ content: [{ type: 'text', text: words }] });
const object = (properties, more = {}) => fromJsonSchema({ type: 'object', properties, ...more });
const anything = object({});
const form = (message, name, type = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  });
const completion = words =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens: 100 });
const embedded = (uri, mimeType, words) => ({ type: 'resource', resource: { uri, mimeType, text: words } });
const user = content => ({ role: 'user', content });

/** Tools with an effect that can be counted. */
function addEffects(tool) {
  tool('append', object({ line: { type: 'string' } }), ({ line }) => {
    appendFileSync(effects, line + '\n');
    return { ...text(`appended ${line}`), _meta: { 'com.example/kept': { deep: [1.50, 'ü'] } }, 'x-unknown': 'kept' };
  });
  tool('append_if_confirmed', object({ line: { type: 'string' } }), async ({ line }, { mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'confirm');
    if (!answer || mcpReq.requestState() === undefined) {
      return inputRequired({
        inputRequests: { confirm: form(`Append ${line}?`, 'confirm', 'boolean') },
        requestState: await states.mint({ asked: randomUUID() }),
      });
    }
    appendFileSync(effects, line + '\n');
    return text(`appended ${line} after a question`);
  });
}

function addContents(tool) {
  tool('test_simple_text', anything, () => text('This is a simple text response for testing.'));
  tool('test_image_content', anything, () => ({ content: [{ type: 'image', data: IMAGE, mimeType: 'image/png' }] }));
  tool('test_audio_content', anything, () => ({ content: [{ type: 'audio', data: AUDIO, mimeType: 'audio/wav' }] }));
  tool('test_embedded_resource', anything, () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  tool('test_multiple_content_types', anything, () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: IMAGE, mimeType: 'image/png' },
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  tool('test_error_handling', anything, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  tool('test_x_mcp_header', object({ region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } }), args =>
    text(`region=${args.region}`)
  );
  tool('json_schema_2020_12_tool', fromJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }), args => text(JSON.stringify(args)));
}

/** Tools that tell or ask their host something while they run. */
function addConversations(tool) {
  tool('test_tool_with_logging', anything, async (_, { mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
    }
    return text('Tool with logging executed successfully');
  });
  tool('test_logging_tool', anything, async (_, { mcpReq }) => {
    await mcpReq.log('info', 'only for those who asked for logs');
    return text('logged');
  });
  tool('test_tool_with_progress', anything, async (_, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    }
    return text(String(progressToken));
  });
  tool('test_sampling', object({ prompt: { type: 'string' } }), async ({ prompt }, { mcpReq }) => {
    const answer = await mcpReq.send({
      method: 'sampling/createMessage',
      params: { messages: [user({ type: 'text', text: prompt })], maxTokens: 100 },
    });
    return text(`LLM response: ${answer.content.text}`);
  });
  const elicit = (name, properties, required = []) =>
    tool(name, object({ message: { type: 'string' } }), async ({ message }, { mcpReq }) => {
      const answer = await mcpReq.send({
        method: 'elicitation/create',
        params: { message: message ?? 'Please fill in', requestedSchema: { type: 'object', properties, required } },
      });
      return text(`action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
    });
  elicit('test_elicitation', { response: { type: 'string', description: "User's response" } }, ['response']);
  elicit('test_elicitation_sep1034_defaults', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  });
  const titled = ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title }));
  const options = ['option1', 'option2', 'option3'];
  elicit('test_elicitation_sep1330_enums', {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled } },
  });
  tool('test_reconnection', anything, async (_, { sessionId, mcpReq }) => {
    sessions.get(sessionId)?.closeSSEStream(mcpReq.id);
    await new Promise(resolve => setTimeout(resolve, 100));
    return text('Reconnection test completed successfully.');
  });
}

/** Tools that ask for input by their result, and are called again with it. */
function addQuestions(tool) {
  const asking = (name, whenGiven) => tool(`test_input_required_result_${name}`, anything, (_, ctx) => whenGiven(ctx.mcpReq));
  asking('elicitation', ({ inputResponses }) => {
    const name = acceptedContent(inputResponses, 'user_name')?.name;
    return typeof name === 'string'
      ? text(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });
  });
  asking('sampling', ({ inputResponses }) => {
    const answer = inputResponses?.capital_question;
    return answer
      ? text(`Sampling response: ${answer.content?.text}`)
      : inputRequired({ inputRequests: { capital_question: completion('What is the capital of France?') } });
  });
  asking('list_roots', ({ inputResponses }) => {
    const roots = inputResponses?.client_roots?.roots;
    return Array.isArray(roots)
      ? text(`Client exposed ${roots.length} root(s): ${roots.map(root => root.uri)}`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  for (const name of ['request_state', 'tampered_state']) {
    asking(name, async ({ inputResponses, requestState }) =>
      acceptedContent(inputResponses, 'confirm') && requestState() !== undefined
        ? text('state-ok')
        : inputRequired({
            inputRequests: { confirm: form('Please confirm', 'ok', 'boolean') },
            requestState: await states.mint({ name, nonce: randomUUID() }),
          })
    );
  }
  asking('multiple_inputs', async ({ inputResponses }) => {
    const name = acceptedContent(inputResponses, 'user_name')?.name;
    const greeting = inputResponses?.greeting?.content?.text;
    const roots = inputResponses?.client_roots?.roots;
    return name && greeting && roots
      ? text(`${greeting} ${name}, ${roots.length}`)
      : inputRequired({
          inputRequests: {
            user_name: form('What is your name?', 'name'),
            greeting: completion('Generate a greeting'),
            client_roots: inputRequired.listRoots(),
          },
          requestState: await states.mint({ nonce: randomUUID() }),
        });
  });
  asking('multi_round', async ({ inputResponses, requestState }) => {
    const { round = 0, name } = requestState() ?? {};
    if (round === 2) {
      return text(`${name} likes ${acceptedContent(inputResponses, 'step2')?.color}`);
    }
    const given = acceptedContent(inputResponses, 'step1')?.name;
    return inputRequired({
      inputRequests: round === 0 ? { step1: form('Your name?', 'name') } : { step2: form('Your color?', 'color') },
      requestState: await states.mint({ round: round + 1, name: given, nonce: randomUUID() }),
    });
  });
  asking('capabilities', ({ inputResponses, envelope }) => {
    const can = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
    const inputRequests = {
      ...(can.elicitation && { user_name: form('What is your name?', 'name') }),
      ...(can.sampling && { greeting: completion('Generate a greeting') }),
      ...(can.roots && { client_roots: inputRequired.listRoots() }),
    };
    return inputResponses || Object.keys(inputRequests).length === 0 ? text('done') : inputRequired({ inputRequests });
  });
  tool('test_missing_capability', anything, (_, { mcpReq }) =>
    mcpReq.inputResponses?.answer ? text('sampled') : inputRequired({ inputRequests: { answer: completion('Say pong') } })
  );
  tool('test_streaming_elicitation', anything, () => text('no requests in this stream'));
}

function addResourcesAndPrompts(server) {
  const resource = (name, uri, mimeType, content) =>
    server.registerResource(name, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, ...content }] }));
  resource('static-text', 'test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  resource('static-binary', 'test://static-binary', 'image/png', { blob: IMAGE });
  resource('watched', 'test://watched-resource', 'text/plain', { text: 'watched' });
  server.registerResource('template', new ResourceTemplate('test://template/{id}/data', { list: undefined }), {}, (uri, { id }) => ({
    contents: [{ uri: uri.toString(), mimeType: 'application/json', text: JSON.stringify({ id, data: `Data for ID: ${id}` }) }],
  }));
  server.registerPrompt('test_simple_prompt', { description: 'test_simple_prompt' }, () => ({
    messages: [user({ type: 'text', text: 'This is a simple prompt for testing.' })],
  }));
  const twoTexts = object({ arg1: { type: 'string' }, arg2: { type: 'string' } }, { required: ['arg1', 'arg2'] });
  server.registerPrompt('test_prompt_with_arguments', { description: 'test_prompt_with_arguments', argsSchema: twoTexts }, ({ arg1, arg2 }) => ({
    messages: [user({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` })],
  }));
  const oneUri = object({ resourceUri: { type: 'string' } }, { required: ['resourceUri'] });
  server.registerPrompt('test_prompt_with_embedded_resource', { description: 'test_prompt_with_embedded_resource', argsSchema: oneUri }, ({ resourceUri }) => ({
    messages: [user(embedded(resourceUri, 'text/plain', 'Embedded.')), user({ type: 'text', text: 'Process it.' })],
  }));
  server.registerPrompt('test_prompt_with_image', { description: 'test_prompt_with_image' }, () => ({
    messages: [user({ type: 'image', data: IMAGE, mimeType: 'image/png' }), user({ type: 'text', text: 'Analyze it.' })],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'test_input_required_result_prompt' }, ({ mcpReq }) => {
    const context = acceptedContent(mcpReq.inputResponses, 'user_context')?.context;
    return context
      ? { messages: [user({ type: 'text', text: `Use ${context}` })] }
      : inputRequired({ inputRequests: { user_context: form('What context?', 'context') } });
  });
}

function newServer() {
  const server = new McpServer(
    { name: 'fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    }
  );
  const tool = (name, inputSchema, run) => server.registerTool(name, { description: name, inputSchema }, run);
  addEffects(tool);
  addContents(tool);
  addConversations(tool);
  addQuestions(tool);
  tool('test_trigger_tool_change', anything, () => {
    modern?.notify.toolsChanged();
    return text('published');
  });
  tool('test_trigger_prompt_change', anything, () => {
    modern?.notify.promptsChanged();
    return text('published');
  });
  addResourcesAndPrompts(server);
  for (const method of ['resources/subscribe', 'resources/unsubscribe', 'logging/setLevel']) {
    server.server.setRequestHandler(method, async () => ({}));
  }
  server.server.setRequestHandler('completion/complete', async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
  return server;
}

const sessions = new Map();
let modern;

/** Keeps the events of a stream, so that a host can read on after it has lost the stream. */
function eventStore() {
  const events = [];
  return {
    async storeEvent(streamId, message) {
      events.push({ eventId: `${streamId}::${events.length}`, streamId, message });
      return events.at(-1).eventId;
    },
    async replayEventsAfter(last, { send }) {
      const start = events.findIndex(({ eventId }) => eventId === last);
      const { streamId } = events[start];
      for (const { eventId, streamId: other, message } of events.slice(start + 1)) {
        if (other === streamId && Object.keys(message).length > 0) {
          await send(eventId, message);
        }
      }
      return streamId;
    },
  };
}

function refuse(response, status, code, message) {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}

async function handle(request, response, inNode) {
  if (!validateHostHeader(request.headers.host, localhostAllowedHostnames()).ok) {
    return refuse(response, 403, -32000, 'unknown host');
  }
  let body;
  if (request.method === 'POST') {
    let read = '';
    for await (const part of request.setEncoding('utf8')) {
      read += part;
    }
    try {
      body = JSON.parse(read);
    } catch {
      return refuse(response, 400, -32700, 'no JSON');
    }
  }
  const inbound = classifyInboundRequest({
    httpMethod: request.method,
    protocolVersionHeader: request.headers['mcp-protocol-version'],
    mcpMethodHeader: request.headers['mcp-method'],
    body,
  });
  if (request.method === 'POST' && inbound.kind !== 'legacy') {
    return inNode(request, response, body);
  }
  const sessionId = request.headers['mcp-session-id'];
  let session = sessions.get(sessionId);
  if (!session && sessionId) {
    return refuse(response, 404, -32001, 'Session not found');
  } else if (!session && body?.method !== 'initialize') {
    return refuse(response, 400, -32000, 'Session ID required');
  } else if (!session) {
    const opened = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: eventStore(),
      retryInterval: 300,
      onsessioninitialized: id => sessions.set(id, opened),
    });
    opened.onclose = () => sessions.delete(opened.sessionId);
    await newServer().connect(opened);
    session = opened;
  }
  return session.handleRequest(request, response, body);
}

if (transport === 'http') {
  modern = createMcpHandler(newServer);
  const inNode = toNodeHandler(modern);
  const http = createServer((request, response) => handle(request, response, inNode).catch(() => response.destroy()));
  http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
  // It ends with the process that has started it.
  process.stdin.on('end', () => process.exit(0)).resume();
} else {
  serveStdio(newServer);
}
