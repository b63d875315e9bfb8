export type { Call } from "./call.js";
export type { Way } from "./carrier.js";
export type { Clocks } from "./clocks.js";
export { currentCall } from "./context.js";
export { connectionRefused, type Definite, type ErrorClass } from "./definite.js";
export type { Ensured, EnsureOptions } from "./ensure.js";
export * from "./errors.js";
export {
  type AboutServer,
  type Address,
  type Decision,
  type Entry,
  Idem,
  type IdemOptions,
  type LookMethod,
  type Resolution,
  type Session,
} from "./idem.js";
export type { Json } from "./json.js";
export type { OnceOptions } from "./once.js";
export type { Operation, OperationOptions } from "./operation.js";
export type {
  About,
  Done,
  Kind,
  Outcome,
  RanUnrecorded,
  Replayed,
  ReplayedWithoutResult,
  Without,
  Words,
} from "./outcome.js";
export type { Duration, Policy } from "./policy.js";
export type { Action } from "./running.js";
export type { OpenOptions } from "./settings.js";
export { type Doubted, Happened, happened, type Probe } from "./spec.js";
export { type GuardOptions, guardTool, type ToolAnswer, type ToolContext } from "./tool.js";
export { type Codec, json } from "./values.js";
