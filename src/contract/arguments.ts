import type { CallContext, Middleware } from "../client/middleware.js";
import {
  ConfigError,
  describeMismatches,
  type Mismatch,
  ToolVersionRequiredError,
  ValidationError,
} from "../errors/local.js";
import { formatPath, hint } from "../errors/mismatch-words.js";
import * as option from "../errors/option-rules.js";
import { checkJsonSchema } from "../json-schema/check/check-json-schema.js";
import { unlistedProperties } from "../json-schema/fit/unlisted.js";
import { limited, TooMuchWork } from "../json-schema/step-limit.js";
import { firstTime } from "../shared/bounded-memory.js";
import { field, readJson, writeJson } from "../shared/json.js";
import { messageOf } from "../shared/message-of.js";
import { untilAborted } from "../shared/timers.js";

/** Checks tool arguments. `argumentValidator()` creates one. */
export interface ArgumentValidator {
  /** Returns the input schema of a tool in a version, if it's known without a request. */
  schemaOf?(toolSlug: string, version: string): unknown;
  /**
   * Returns every place where the arguments don't match the tool's input schema. If it throws, the call is sent
   * unchecked, with a warning. After a `RangeError`, such as a stack overflow, the call is rejected.
   */
  check(schema: unknown, value: unknown): readonly Mismatch[];
}

/** Tools with their input schemas: the parsed content of a file that `svc-sdk lock --catalog-out` wrote. */
export interface ToolSchemas {
  /** Per toolkit, its tools with the JSON Schema of their arguments. */
  readonly toolkits: readonly {
    readonly tools: readonly { readonly slug: string; readonly version: string; readonly input_parameters: object }[];
  }[];
}

/** Options of an argument validator. */
export interface ArgumentValidatorOptions {
  /** Tools whose schemas are known. The schemas of other tools are requested from the service. */
  readonly catalog?: ToolSchemas | undefined;
}

/**
 * Creates the validator that {@link validateArguments} uses. To check a single value, call its `check`.
 *
 * A check takes limited time, whatever the schema and the arguments are. Patterns are matched in linear time, without
 * the runtime's own engine. If a check takes too long, the client rejects the call. If a schema is invalid, it sends
 * the call unchecked, with a warning. It warns as well if a pattern can't be matched in linear time because it refers
 * back to a group (`(a)\1`) or isn't valid JavaScript, and everything else is valid.
 *
 * A schema must not change after its first check, because it's read only once.
 *
 * Evaluates no code, so it runs at the edge. The client doesn't load it unless you pass it.
 *
 * @throws {ConfigError} for an unknown option.
 */
export function argumentValidator(options: ArgumentValidatorOptions = {}): ArgumentValidator {
  const { catalog } = option.checkAll("argumentValidator", options, { catalog: option.OBJECT });
  const known = new Map(
    (catalog?.toolkits ?? []).flatMap(({ tools }) =>
      tools.map(({ slug, version, input_parameters }) => [`${slug} ${version}`, input_parameters] as const),
    ),
  );
  return {
    schemaOf: (toolSlug, version) => known.get(`${toolSlug} ${version}`),
    check: (schema, value) => {
      if (typeof schema !== "object" || schema === null) throw new Error("The tool's input schema isn't an object.");
      // As they are sent: without what JSON omits, and with dates as strings.
      const { mismatches, unchecked } = checkJsonSchema(schema, readJson(writeJson(value) ?? ""));
      if (mismatches.length === 0 && unchecked.length > 0) throw new PartlyChecked(unchecked.join(" "));
      return mismatches;
    },
  };
}

/**
 * Rejects executions whose `arguments` don't match the tool's input schema, before anything is sent.
 *
 * ```ts
 * const svc = new Svc({ use: [validateArguments()], toolkitVersions: { weathermap: "20250801_00" } });
 * ```
 *
 * An argument that the schema neither lists nor forbids causes a warning. A toolset rejects it.
 *
 * Requests the tool from the service, once per dated version, and for each call with `latest`. If the request fails,
 * the call is sent unchecked, with a warning to the call's listeners or, without listeners, to the console.
 *
 * @param validator - `argumentValidator({ catalog })` needs no requests for the schemas in the catalog.
 * @throws {ConfigError} if it isn't a validator.
 */
export function validateArguments(validator: ArgumentValidator = argumentValidator()): Middleware {
  if (typeof field(validator, "check") !== "function") {
    throw new ConfigError("validateArguments: the validator must be argumentValidator(), or an object with check.");
  }
  const states = new WeakMap<CallContext["send"], ClientState>();

  return async (call, next) => {
    const tool = call.input.params?.["tool_slug"];
    const { schemaEndpoint, name } = call.endpoint;
    if (!schemaEndpoint || tool === undefined) return next();
    const { arguments: given, text, version }: Readonly<Record<string, unknown>> = Object(call.sent.body);
    // The schema depends on the version.
    if (version === undefined) throw new ToolVersionRequiredError(name, tool);
    // The service derives arguments from `text`. Without either, the arguments are empty.
    if (given === undefined && text !== undefined) return next();
    const state = states.get(call.send) ?? { lookups: new Map(), isNew: firstTime() };
    states.set(call.send, state);
    const { signal } = call;
    signal?.throwIfAborted();
    let mismatches: readonly Mismatch[] = [];
    try {
      const known = validator.schemaOf?.(tool, String(version));
      const schema =
        known ?? (await untilAborted(signal, schemaOf(state, call, schemaEndpoint, tool, String(version))));
      mismatches = validator.check(schema, given ?? {});
      for (const name of unlistedNames(schema, given)) {
        warn(state, call, `the schema of ${tool} (${version}) has no argument ${name}, so the tool may ignore it.`);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TooMuchWork || error instanceof RangeError) {
        const reason = `the arguments of ${tool} (${version}) can't be validated: ${messageOf(error)}`;
        throw new ValidationError(
          name,
          `${reason.replace(/\.$/, "")}. Pass fewer arguments, or omit validateArguments().`,
        );
      }
      // A failed lookup must not fail a call that would succeed.
      const extent = error instanceof PartlyChecked ? "only partly checked; the rest is valid" : "not checked";
      const reason = messageOf(error);
      warn(state, call, `the arguments of ${tool} (${version}) are ${extent}. ${reason}`);
    }
    if (mismatches.length > 0) {
      const problem = `the arguments of ${tool} (${version}) don't match its input schema: ${describeMismatches(mismatches)}.`;
      throw new ValidationError(name, problem, mismatches);
    }
    return next();
  };
}

/** The arguments are valid as far as they could be checked. The message names what wasn't. */
class PartlyChecked extends Error {}

/** Maximum length of a warning, in characters. A reason may quote a whole schema. */
const LONGEST_WARNING = 500;

/** State per client. Another client may have access to other tools. */
interface ClientState {
  /**
   * Schemas of dated versions by tool and version, and pending lookups also by the limits of the call that started
   * them.
   */
  readonly lookups: Map<string, Promise<unknown>>;
  /** Whether a warning wasn't shown yet. */
  readonly isNew: (warning: string) => boolean;
}

type DescribingEndpoint = NonNullable<CallContext["endpoint"]["schemaEndpoint"]>;

async function schemaOf(
  { lookups }: ClientState,
  call: CallContext,
  schemaEndpoint: DescribingEndpoint,
  tool: string,
  version: string,
): Promise<unknown> {
  // The lookup takes the call's options except what ends the call, because other calls may wait for it too.
  const { signal: _, deadlineMs: __, ...options } = call.options;
  const key = `${tool} ${version}`;
  // A call with other limits must neither wait nor fail because of these.
  const pendingKey = `${key} ${options.timeoutMs} ${options.maxRetries}`;
  const started = lookups.get(key) ?? lookups.get(pendingKey);
  if (started) return started;
  const lookup = call
    .send(schemaEndpoint, { params: { tool_slug: tool }, query: { version } }, options)
    .then(({ data }) => {
      const schema = field(data, "input_parameters");
      if (schema === undefined) throw new Error(`${schemaEndpoint.name} returned no input_parameters.`);
      // A dated version never changes (assumption A9). The latest one may.
      if (version !== "latest") lookups.set(key, lookup);
      return schema;
    });
  lookups.set(pendingKey, lookup);
  return lookup.finally(() => lookups.delete(pendingKey));
}

/** Reports to the call's listeners; without any, to the console, once per client. */
function warn({ isNew }: ClientState, call: CallContext, text: string): void {
  const message = text.replace(/\s+/g, " ").slice(0, LONGEST_WARNING);
  if (call.emit({ type: "warning", message }) || !isNew(message)) return;
  console.warn(`svc-sdk: ${call.endpoint.name}: ${message}`);
}

/** The arguments that a schema doesn't list, each with the listed one that was probably meant. */
function unlistedNames(schema: unknown, given: unknown): readonly string[] {
  const found = limited(MOST_WORK, () => unlistedProperties(schema, given)) ?? [];
  return found
    .slice(0, MOST_NAMES)
    .map(({ path, listed }) => formatPath(path) + hint(String(path.at(-1)), [...listed]));
}

/** Steps, in less than 0.1 s. */
const MOST_WORK = 1_000_000;
/** Maximum number of arguments that are warned about. */
const MOST_NAMES = 5;
