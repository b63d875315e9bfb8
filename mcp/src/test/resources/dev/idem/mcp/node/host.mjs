// The part that both hosts share: they do what a test asks for, one JSON object a line, and answer each with a line.
import { createInterface } from 'node:readline';

/** What a host answers when a server asks it something. */
export const answersOf = root => ({
  'sampling/createMessage': () => ({
    model: 'host-model',
    role: 'assistant',
    content: { type: 'text', text: 'sampled by the host' },
  }),
  'elicitation/create': ({ params }) =>
    params.mode === 'url'
      ? { action: 'accept' }
      : { action: 'accept', content: { name: 'Ann', confirm: true } },
  'roots/list': () => ({ roots: [{ uri: root, name: 'root' }] }),
});

export const capabilities = { sampling: {}, elicitation: { form: {}, url: {} }, roots: { listChanged: true } };

export async function obey(client, heard, callTool) {
  const progress = [];
  const deeds = {
    tools: async () => (await client.listTools()).tools,
    call: ({ name, arguments: args, meta }) =>
      callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, { onprogress: each => progress.push(each) }),
    heard: async () => heard,
    progress: async () => progress,
    version: async () => client.getNegotiatedProtocolVersion?.() ?? null,
    close: async () => client.close(),
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const { do: deed, ...rest } = JSON.parse(line);
    let answer;
    try {
      answer = { value: await deeds[deed](rest) };
    } catch (error) {
      answer = { error: { message: String(error.message), code: error.code ?? null } };
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
  }
}
