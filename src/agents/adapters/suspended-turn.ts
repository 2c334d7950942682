import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { digestOf } from "../../shared/canonical-json.js";
import { field, isObject, isString } from "../../shared/json.js";
import { untilAborted } from "../../shared/timers.js";
import { wellFormed } from "../../shared/well-formed.js";
import { checkedRecord, reserveId } from "../call/execution-record.js";
import { ticketId } from "../execution-ids.js";
import { isPending } from "../pending-approval.js";
import { TicketRejectedError } from "../ticket-rejected.js";
import type { ShownTool } from "./adapter-options.js";
import {
  type OpenedTicket,
  type ResumeOptions,
  TICKET_FORMAT,
  type TurnSource,
  type TurnTicket,
  type WrittenTurn,
} from "./ticket.js";

const RESUME_OPTIONS = {
  decisions: option.fitting("an array of tokens: { decisions: [token] }", option.STRINGS.isFit),
  askAgain: { ...option.BOOLEAN, default: false },
  dryRun: { ...option.BOOLEAN, default: false },
  signal: option.SIGNAL,
  deadlineMs: option.TIME,
  timeoutMs: option.TIME,
} as const satisfies option.Rules<ResumeOptions>;

/** Creates the ticket of a turn, and records in the store of executions that there is one. */
export async function suspendedTurn<Message>(
  source: TurnSource,
  { response, results }: WrittenTurn,
  conversation: readonly Message[],
): Promise<TurnTicket<Message>> {
  const { adapter, tools, compiled } = source;
  if (!Array.isArray(conversation)) {
    throw new ConfigError(`${adapter}: suspend: pass the conversation before the turn, as a list.`);
  }
  const called = results.flatMap(({ tool }) => tool?.name ?? []);
  const shown = new Set([...source.shown].map(({ name }) => name));
  const known = compiled.tools.filter(({ name, originalName }) => shown.has(name) || called.includes(originalName));
  const { executions, scope, policyDigest, ...owner } = tools.identity;
  const facts: Omit<TurnTicket<Message>, "digest"> = {
    formatVersion: TICKET_FORMAT,
    adapter,
    ...owner,
    conversation,
    response,
    calls: results.map(({ callId, tool, status }) => ({ callId, tool: tool?.name ?? null, status })),
    pendingApprovals: results.flatMap(({ pendingApproval }) => pendingApproval ?? []),
    authRequired: results.flatMap(({ callId, authRequired: required }) =>
      required ? [{ callId, toolkit: required.toolkit, reason: required.reason }] : [],
    ),
    definitions: await digestsOf(known),
    policyDigest,
  };
  const json = conversationJson(adapter, facts);
  const digest = await digestOf(json);
  const record = () => reserveId(executions, ticketId(scope, digest), digest, "");
  // The store may have acted although its reply was lost.
  await record().catch(record);
  return { ...json, digest };
}

/**
 * Checks a ticket.
 *
 * @throws {TicketRejectedError} if it isn't a ticket of this toolset, as it was suspended.
 * @throws {ConfigError} if an option is unknown or invalid.
 */
export async function openTicket<Response extends object>(
  { adapter, tools, compiled }: TurnSource,
  given: TurnTicket<object>,
  givenOptions: ResumeOptions = {},
): Promise<OpenedTicket<Response>> {
  const { decisions, askAgain, ...limits } = option.checkAll(`${adapter}: resume`, givenOptions, RESUME_OPTIONS);
  const ticket = await wholeTicket(adapter, given);
  const { executions, scope, policyDigest, ...owner } = tools.identity;
  const reject = (reason: TicketRejectedError["reason"], details?: string) => {
    throw new TicketRejectedError(adapter, reason, details);
  };
  if (ticket.adapter !== adapter) reject("other_adapter", `Pass it to resume() of ${ticket.adapter}().`);
  for (const [name, reason] of OWNERS) if (ticket[name] !== owner[name]) reject(reason);
  const record = await untilAborted(limits.signal, executions.find(ticketId(scope, ticket.digest)));
  if (!checkedRecord(record)) reject("not_found");
  const isOtherPolicy = ticket.policyDigest !== policyDigest;
  if (isOtherPolicy && !askAgain) reject("other_policy");
  const now = await digestsOf(compiled.tools);
  const changedDefinitions = Object.keys(ticket.definitions).filter((name) => now[name] !== ticket.definitions[name]);
  const names = new Map(compiled.tools.map(({ name, originalName }) => [originalName, name]));
  const changed = ticket.calls.flatMap(({ tool }) => {
    const name = tool === null ? undefined : (names.get(tool) ?? "");
    return name === undefined || (name in now && now[name] === ticket.definitions[name]) ? [] : [tool];
  });
  if (changed.length > 0 && !askAgain) reject("other_definitions", `Tools: ${[...new Set(changed)].join(", ")}.`);
  return {
    // As this adapter wrote it: the store knows its digest.
    response: ticket.response as Response,
    conversation: [...ticket.conversation],
    changedDefinitions,
    // Who decided has seen neither the policy nor the definition of now.
    options: { ...limits, approvals: isOtherPolicy || changed.length > 0 ? [] : decisions },
  };
}

const OWNERS = [
  ["userId", "other_user"],
  ["sessionId", "other_session"],
  ["conversationId", "other_conversation"],
] as const;

/** @throws {TicketRejectedError} unless it is as a toolset made it. */
async function wholeTicket(adapter: string, given: TurnTicket<object>): Promise<TurnTicket<object>> {
  const version = field(given, "formatVersion");
  if (Number.isInteger(version) && version !== TICKET_FORMAT)
    throw new TicketRejectedError(adapter, "unsupported_version");
  if (!isTicket(given)) throw new TicketRejectedError(adapter, "malformed");
  const { digest, ...facts } = given;
  if ((await digestOf(facts)) !== digest) throw new TicketRejectedError(adapter, "changed");
  return given;
}

const LISTS = ["conversation", "calls", "pendingApprovals", "authRequired"];
const STRINGS_OR_NULL = ["userId", "sessionId", "conversationId", "policyDigest"];

function isTicket(value: unknown): value is TurnTicket<object> {
  if (!isObject(value) || value["formatVersion"] !== TICKET_FORMAT) return false;
  const { adapter, digest, response, definitions, pendingApprovals } = value;
  return (
    [adapter, digest].every(isString) &&
    [response, definitions].every(isObject) &&
    LISTS.every((name) => Array.isArray(value[name])) &&
    STRINGS_OR_NULL.every((name) => value[name] === null || isString(value[name])) &&
    Array.isArray(pendingApprovals) &&
    pendingApprovals.every(isPending)
  );
}

async function digestsOf(tools: readonly ShownTool[]): Promise<Record<string, string>> {
  const digests = tools.map(async ({ name, description, schema, strict }) => {
    return [name, await digestOf([description, schema, strict])] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}

/** A copy that every store of JSON keeps as it is. @throws {ConfigError} if the conversation isn't JSON. */
function conversationJson<Facts>(adapter: string, facts: Facts): Facts {
  try {
    // The types are those of JSON: what isn't is lost, as in the provider's request.
    return wellFormed(JSON.parse(JSON.stringify(facts)));
  } catch (cause) {
    throw new ConfigError(`${adapter}: suspend: the conversation isn't JSON. Pass what goes to the provider.`, {
      cause,
    });
  }
}
