// A host made with version 2 of the TypeScript SDK. Arguments: a root, the way to find the revision ('legacy', 'auto' or a
// revision), then the URL of a server, or the command that starts it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { answersOf, capabilities, obey } from './host.mjs';

const [root, revision, command, ...args] = process.argv.slice(2);
const mode = revision.startsWith('20') ? { pin: revision } : revision;
const answers = answersOf(root);
const heard = [];
const client = new Client({ name: 'typescript-2', version: '2.0.0' }, { capabilities, versionNegotiation: { mode } });
for (const [method, answer] of Object.entries(answers)) {
  client.setRequestHandler(method, async request => answer(request));
}
client.fallbackNotificationHandler = async notification => heard.push(notification);
client.onerror = error => console.error(String(error));
await client.connect(
  command.startsWith('http:')
    ? new StreamableHTTPClientTransport(new URL(command))
    : new StdioClientTransport({ command, args, stderr: 'inherit' })
);
await obey(client, heard, (params, options) => client.callTool(params, options));
