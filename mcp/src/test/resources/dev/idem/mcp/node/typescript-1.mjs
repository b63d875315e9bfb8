// A host made with version 1 of the TypeScript SDK. Arguments: a root, then the URL of a server, or the command that starts it.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { answersOf, capabilities, obey } from './host.mjs';

const [root, command, ...args] = process.argv.slice(2);
const answers = answersOf(root);
const heard = [];
const client = new Client({ name: 'typescript-1', version: '1.0.0' }, { capabilities });
client.setRequestHandler(CreateMessageRequestSchema, answers['sampling/createMessage']);
client.setRequestHandler(ElicitRequestSchema, answers['elicitation/create']);
client.setRequestHandler(ListRootsRequestSchema, answers['roots/list']);
client.fallbackNotificationHandler = async notification => heard.push(notification);
client.onerror = error => console.error(String(error));
await client.connect(
  command.startsWith('http:')
    ? new StreamableHTTPClientTransport(new URL(command))
    : new StdioClientTransport({ command, args, stderr: 'inherit' })
);
await obey(client, heard, (params, options) => client.callTool(params, undefined, options));
