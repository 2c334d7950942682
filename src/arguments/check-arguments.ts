import { checkVersionIsGiven } from "../core/call/versions.js";
import type { CallContext, Middleware } from "../core/middleware.js";
import { describeMismatches, type Mismatch, ValidationError } from "../errors/local.js";
import { field } from "../json.js";

/** Checks arguments of tools. `argumentValidator()` makes one. */
export interface ArgumentValidator {
  /** The input schema of a tool in a version, if it is known without asking the service. */
  schemaOf?(toolSlug: string, version: string): unknown;
  /**
   * Every place where the arguments don't match the tool's input schema. Whatever it throws leaves them unchecked.
   */
  check(schema: unknown, value: unknown): readonly Mismatch[];
}

/** A reason may quote a whole schema; more than this says no more. */
const LONGEST_WARNING = 500;

/** Compares the arguments of executions with the tools' own input schemas. It keeps the schemas. */
export function checkingMiddleware(validator: ArgumentValidator): Middleware {
  /** Those that arrived and can't change, by client, tool and version. */
  const schemas = new WeakMap<CallContext["send"], Map<string, unknown>>();
  /** Those that are on their way, also by the limits of the call that asks. */
  const asked = new WeakMap<CallContext["send"], Map<string, Promise<unknown>>>();

  const schemaOf = async (call: CallContext, tool: string, version: string): Promise<unknown> => {
    const known = mapOf(schemas, call.send);
    const pending = mapOf(asked, call.send);
    const key = `${tool} ${version}`;
    const found = validator.schemaOf?.(tool, version) ?? known.get(key);
    if (found !== undefined) return found;
    // The lookup takes over the call's options, except what ends the call: others may wait for it too.
    const { signal: _, deadlineMs: __, ...options } = call.options;
    // A call with other limits must neither wait nor fail by these.
    const limited = `${key} ${options.timeoutMs} ${options.maxRetries}`;
    const lookup = pending.get(limited) ?? lookUp(call, tool, version, options).finally(() => pending.delete(limited));
    pending.set(limited, lookup);
    const schema = await lookup;
    // A dated version never changes (assumption A9); what is the latest only now is asked for again.
    if (version !== "latest") known.set(key, schema);
    return schema;
  };

  const check = async (call: CallContext, tool: string): Promise<void> => {
    const { endpoint, signal, sent } = call;
    checkVersionIsGiven(endpoint, sent);
    const { arguments: given, text, version }: Readonly<Record<string, unknown>> = Object(sent.body);
    // A text becomes arguments at the service; without either there are none.
    if (given === undefined && text !== undefined) return;
    signal?.throwIfAborted();
    let mismatches: readonly Mismatch[];
    try {
      mismatches = validator.check(await before(signal, schemaOf(call, tool, String(version))), given ?? {});
    } catch (error) {
      signal?.throwIfAborted();
      // A failing lookup must not fail an execution that would succeed.
      const reason = error instanceof Error ? error.message : String(error);
      const warning = `the arguments of ${tool} (${version}) are not checked. ${reason}`;
      const message = warning.replace(/\s+/g, " ").slice(0, LONGEST_WARNING);
      if (!call.emit({ type: "warning", message })) warnOnce(call.send, `${endpoint.name}: ${message}`);
      return;
    }
    if (mismatches.length === 0) return;
    const problem = `the arguments of ${tool} (${version}) do not fit its input schema: ${describeMismatches(mismatches)}.`;
    throw new ValidationError(endpoint.name, problem, mismatches);
  };

  return async (call, next) => {
    const tool = call.input.params?.["tool_slug"];
    if (call.endpoint.describedBy && tool !== undefined) await check(call, tool);
    return next();
  };
}

async function lookUp(call: CallContext, tool: string, version: string, options: CallContext["options"]) {
  const { describedBy } = call.endpoint;
  if (!describedBy) throw new TypeError("No operation shows the tool.");
  const { data } = await call.send(describedBy, { params: { tool_slug: tool }, query: { version } }, options);
  const schema = field(data, "input_parameters");
  if (schema === undefined) throw new Error(`${describedBy.name} shows no input_parameters.`);
  return schema;
}

/** The map that belongs to a client: different clients may see different tools. */
function mapOf<Value>(
  maps: WeakMap<CallContext["send"], Map<string, Value>>,
  client: CallContext["send"],
): Map<string, Value> {
  const map = maps.get(client) ?? new Map<string, Value>();
  maps.set(client, map);
  return map;
}

const warned = new WeakMap<CallContext["send"], Map<string, true>>();

/** If nobody listens to the call, the console is told, once per client. */
function warnOnce(client: CallContext["send"], message: string): void {
  const told = mapOf(warned, client);
  if (told.has(message)) return;
  told.set(message, true);
  console.warn(`svc-sdk: ${message}`);
}

/** Waits for something no longer than the signal lets. */
async function before<Result>(signal: AbortSignal | undefined, work: Promise<Result>): Promise<Result> {
  if (!signal) return work;
  const ended = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([ended, work]);
}
