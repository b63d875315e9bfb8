// What the code of docs/typescript.md uses without saying where it comes from.

import { setTracingDisabled } from "@openai/agents";
import type { RequestHandler } from "express";
import { FakeToolCallingModel } from "langchain";
import {
  agentCalls,
  anthropicCalls,
  anthropicSays,
  calls,
  ScriptedAgentModel,
  says,
  scripted,
  scriptedAnthropic,
} from "./models.js";
import { newTask, order } from "./shop.js";

export { idem } from "./shop.js";

export type Order = { customer: string; cents: number };

setTracingDisabled(true);
const service = await scriptedAnthropic();

export const payments = {
  charges: 0,
  async charge(customer: string, cents: number, key: string | undefined) {
    return { id: `ch_${++this.charges}`, customer, cents, key };
  },
  async find(_key: string): Promise<string | undefined> {
    return undefined;
  },
};

export const authenticate: RequestHandler = (_request, _response, next) => next();
export const anthropic = service.client;

/** Each model asks for the same charge twice. */
export let orderId = "";
export let chatModel = new FakeToolCallingModel({});
export let model = scripted().model;
export let agentModel = new ScriptedAgentModel([]);

/** A new task, and new models, for each block. */
export function begin(): void {
  payments.charges = 0;
  orderId = newTask();
  const call = (id: string) => [{ name: "charge", args: order, id }];
  chatModel = new FakeToolCallingModel({ toolCalls: [call("c1"), call("c2"), []] });
  model = scripted(calls("c1"), calls("c2"), says("ok")).model;
  agentModel = new ScriptedAgentModel([agentCalls("c1"), agentCalls("c2")]);
  service.script(anthropicCalls("t1"), anthropicCalls("t2"), anthropicSays("ok"));
}

export function end(): void {
  service.close();
}
