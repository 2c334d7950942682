import { describeMismatches, ValidationError } from "../errors/local.js";
import type { AnyEndpoint, AnyInput } from "./endpoint.js";
import type { Settings } from "./options.js";
import { withToolVersion } from "./versions.js";

/** Sends a call and gives its data. */
type Ask = (endpoint: AnyEndpoint, input: AnyInput) => Promise<unknown>;

/** Compares the arguments of executions with the tools' own input schemas. One per client: it keeps the schemas. */
export class ArgumentCheck {
  readonly #settings: Settings;
  readonly #ask: Ask;
  readonly #schemas = new Map<string, Promise<unknown>>();
  readonly #unchecked = new Set<string>();

  constructor(settings: Settings, ask: Ask) {
    this.#settings = settings;
    this.#ask = ask;
  }

  /**
   * Lets pass what fits, and what cannot be checked: a failing look-up must not fail an execution that would succeed.
   *
   * @param signal - Ends the wait for a schema, and nothing else: other calls may wait for it too.
   * @throws {ValidationError} naming the tool and each place that does not fit.
   */
  async check(endpoint: AnyEndpoint, input: AnyInput, signal: AbortSignal | undefined): Promise<void> {
    const { validateArguments: validator, log } = this.#settings;
    const tool = input.params?.["tool_slug"];
    if (!validator || !endpoint.describedBy || tool === undefined) return;
    const { body } = withToolVersion(endpoint, input, this.#settings);
    const { arguments: given, text, version }: Readonly<Record<string, unknown>> = Object(body);
    // A text becomes arguments at the service; without either there are none.
    if (given === undefined && text !== undefined) return;
    const key = `${tool} ${version}`;
    const mismatches = await this.#schemaOf(endpoint.describedBy, tool, String(version), signal)
      .then((schema) => validator.check(schema, given ?? {}))
      .catch((error: unknown) => {
        signal?.throwIfAborted();
        const reason = error instanceof Error ? error.message : String(error);
        if (!this.#unchecked.has(key)) {
          log.line("warn", `${endpoint.name}: the arguments of ${tool} are not checked. ${reason}`);
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
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const known = this.#settings.validateArguments?.schemaOf?.(tool, version);
    if (known !== undefined) return known;
    const key = `${tool} ${version}`;
    const asked = this.#schemas.get(key) ?? this.#askFor(describedBy, tool, version);
    this.#schemas.set(key, asked);
    // A dated version never changes (assumption A9); what did not arrive, and what is the latest only now, is asked for again.
    const forget = () => void this.#schemas.delete(key);
    void asked.then(() => version === "latest" && forget(), forget);
    const ended = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    return Promise.race([asked, ended]);
  }

  async #askFor(describedBy: AnyEndpoint, tool: string, version: string): Promise<unknown> {
    const shown = await this.#ask(describedBy, { params: { tool_slug: tool }, query: { version } });
    const schema: unknown = Reflect.get(Object(shown), "input_parameters");
    if (schema === undefined) throw new Error(`${describedBy.name} shows no input_parameters.`);
    return schema;
  }
}
