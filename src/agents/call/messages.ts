import { describeMismatches, type Mismatch, saysNotRun } from "../../errors/local.js";
import { messageOf, sentence } from "../../shared/message-of.js";
import { didYouMean } from "../../shared/nearest-name.js";
import { NotStarted, ReportedFailure } from "../agent-tool.js";
import { jsonOf } from "../json-copy.js";

// What a model reads about a call: that it ran or didn't, and what to do next.

/** Many names cost more tokens than they help. */
const MOST_NAMES = 50;

export function unknownTool(name: string, names: readonly string[], advice = listed(names)): string {
  return `There is no tool named ${JSON.stringify(name.slice(0, 100))}, so nothing ran.${didYouMean(name, names)} ${advice}`;
}

function listed(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `The tools are: ${names.slice(0, MOST_NAMES).join(", ")}${more}.`;
}

export function cutCall(name: string): string {
  return `${name} was cut off, so nothing ran. Call it again with complete arguments, shorter ones if possible.`;
}

export function notForPrograms(name: string): string {
  return `${name} can't be called by a program, so nothing ran: its calls are decided one by one. Call it directly.`;
}

export function brokenJson(name: string, error: unknown): string {
  return notAnObject(name, ` They aren't valid JSON: ${sentence(messageOf(error))}`);
}

export function notAnObject(name: string, problem = ""): string {
  return `The arguments of ${name} must be a JSON object, so nothing ran.${problem} Call it again with the complete arguments.`;
}

export function wrongArguments(name: string, mismatches: readonly Mismatch[]): string {
  return `The arguments of ${name} don't match its schema, so nothing ran. ${describeMismatches(mismatches)}. Call it again with correct arguments.`;
}

export function denied(name: string, reason: string): string {
  return `${name} was not allowed, so nothing ran: ${sentence(reason)} Don't call it again unless something has changed.`;
}

export function needsApproval(name: string, reason: string): string {
  return `${name} needs an approval that this program can't get, so nothing ran: ${sentence(reason)} Tell the user.`;
}

export function pending(name: string, reason: string, wasRejected: boolean): string {
  const rejected = wasRejected ? " The approval that was given isn't valid for this call." : "";
  return `${name} needs the approval of a person and has not run: ${sentence(reason)}${rejected} It runs once it is approved. Tell the user that it needs approval. Don't call it again.`;
}

export function notApproved(name: string, reason = "No one approved it."): string {
  return `${name} was not approved, so nothing ran: ${sentence(reason)} Don't call it again unless something has changed.`;
}

export function programFailed(name: string): string {
  return `${name} did not run: the program had a problem. Tell the user.`;
}

export function startedBefore(name: string): string {
  return `${name} was started before and its result is unknown. ${NEXT.unknown}`;
}

export function withheld(name: string): string {
  return `The result of ${name} can't be given now: the program had a problem. ${NEXT.unknown}`;
}

export function idOfAnotherCall(name: string): string {
  return `An earlier call had this id, so ${name} did not run. Call it again.`;
}

const NEXT = {
  failed: "Change the arguments or tell the user before you call it again.",
  not_run: "Nothing ran.",
  unknown: "It may have run. Check what it did before you call it again.",
  read: "It only reads: call it again, or tell the user.",
} as const;

type FailedStatus = Exclude<keyof typeof NEXT, "read">;

/** How a call failed. The words for it are loaded when one does. */
export async function failed(
  name: string,
  error: unknown,
  next: keyof typeof NEXT,
  maxBytes: number,
  data?: unknown,
): Promise<string> {
  const words = await import("./failure-text.js").catch(() => undefined);
  return `${name} failed${words ? `: ${words.failureText(error, maxBytes, data)}` : "."} ${NEXT[next]}`;
}

/** A program's value as a model reads it: as JSON, or why it can't be written. The call has run. */
export function readable(name: string, data: unknown): unknown {
  try {
    return jsonOf(data);
  } catch (error) {
    return `${name} ran, but what it returned can't be written as JSON: ${sentence(messageOf(error))} Tell the user.`;
  }
}

/** Whether a failed call ran, as far as its error shows. One that only reads has no effect that may have happened. */
export function statusOf(error: unknown, isLocal: boolean, onlyReads: boolean): FailedStatus {
  if (error instanceof ReportedFailure) return "failed";
  if (error instanceof NotStarted) return "not_run";
  if (saysNotRun(error) && !isLocal) return "not_run";
  return onlyReads ? "failed" : "unknown";
}
