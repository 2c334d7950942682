import { describeMismatches, ValidationError } from "../errors/local.js";
import { field } from "../json.js";
import type { AnyEndpoint, AnyInput } from "./endpoint.js";
import type { Log } from "./log.js";
import type { ArgumentValidator, RequestOptions } from "./options.js";

/** Sends a call and gives its data. */
type Ask = (endpoint: AnyEndpoint, input: AnyInput, options: RequestOptions) => Promise<unknown>;

/** A reason may quote a whole schema; more than this says no more. */
const LONGEST_WARNING = 500;

/** Compares the arguments of executions with the tools' own input schemas. One per client: it keeps the schemas. */
export class ArgumentCheck {
  readonly #validator: ArgumentValidator;
  readonly #log: Log;
  readonly #ask: Ask;
  /** Those that arrived and cannot change, by tool and version. */
  readonly #schemas = new Map<string, unknown>();
  /** Those that are on their way, also by the bounds of the call that asks. */
  readonly #asked = new Map<string, Promise<unknown>>();
  readonly #unchecked = new Set<string>();

  constructor(validator: ArgumentValidator, log: Log, ask: Ask) {
    this.#validator = validator;
    this.#log = log;
    this.#ask = ask;
  }

  /**
   * Lets pass what fits, and what cannot be checked: a failing look-up must not fail an execution that would succeed.
   *
   * @param input - As it will be sent, with its version.
   * @param options - The call's own. The look-up takes them over, except what ends the call: others may wait for it too.
   * @param signal - Ends the wait for a schema, and nothing else.
   * @throws {ValidationError} naming the tool and each place that does not fit.
   */
  async check(
    endpoint: AnyEndpoint,
    input: AnyInput,
    options: RequestOptions,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const tool = input.params?.["tool_slug"];
    if (!endpoint.describedBy || tool === undefined) return;
    signal?.throwIfAborted();
    const { arguments: given, text, version }: Readonly<Record<string, unknown>> = Object(input.body);
    // A text becomes arguments at the service; without either there are none.
    if (given === undefined && text !== undefined) return;
    const key = `${tool} ${version}`;
    const mismatches = await before(signal, this.#schemaOf(endpoint.describedBy, tool, String(version), options))
      .then((schema) => this.#validator.check(schema, given ?? {}))
      .catch((error: unknown) => {
        signal?.throwIfAborted();
        const reason = error instanceof Error ? error.message : String(error);
        if (!this.#unchecked.has(key)) {
          const warning = `${endpoint.name}: the arguments of ${tool} are not checked. ${reason}`;
          this.#log.line("warn", warning.replace(/\s+/g, " ").slice(0, LONGEST_WARNING));
        }
        this.#unchecked.add(key);
        return [];
      });
    if (mismatches.length === 0) return;
    const problem = `the arguments of ${tool} (${version}) do not fit its input schema: ${describeMismatches(mismatches)}.`;
    throw new ValidationError(endpoint.name, problem, mismatches);
  }

  async #schemaOf(
    describedBy: AnyEndpoint,
    tool: string,
    version: string,
    { signal, deadlineMs, ...options }: RequestOptions,
  ): Promise<unknown> {
    const key = `${tool} ${version}`;
    const known = this.#validator.schemaOf?.(tool, version) ?? this.#schemas.get(key);
    if (known !== undefined) return known;
    // A call with other bounds must neither wait nor fail by these.
    const bounded = `${key} ${options.timeoutMs} ${options.maxRetries}`;
    const asked =
      this.#asked.get(bounded) ??
      this.#askFor(describedBy, tool, version, options).finally(() => this.#asked.delete(bounded));
    this.#asked.set(bounded, asked);
    const schema = await asked;
    // A dated version never changes (assumption A9); what is the latest only now is asked for again.
    if (version !== "latest") this.#schemas.set(key, schema);
    return schema;
  }

  async #askFor(describedBy: AnyEndpoint, tool: string, version: string, options: RequestOptions): Promise<unknown> {
    const shown = await this.#ask(describedBy, { params: { tool_slug: tool }, query: { version } }, options);
    const schema: unknown = field(shown, "input_parameters");
    if (schema === undefined) throw new Error(`${describedBy.name} shows no input_parameters.`);
    return schema;
  }
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
