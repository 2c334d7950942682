import type { Middleware } from "../core/middleware.js";
import { ConfigError } from "../errors/local.js";
import { field } from "../shared/json.js";
import { type ArgumentValidator, checkingMiddleware, PartlyChecked } from "./check-arguments.js";
import { checkJsonSchema } from "./check-json-schema.js";

export type { ArgumentValidator } from "./check-arguments.js";

/**
 * The part of a catalog snapshot that checks need: the parsed content of a file that `svc-sdk lock --snapshot` wrote.
 */
export interface ToolSchemas {
  /** Per toolkit, its tools with the JSON Schema of their arguments. */
  readonly toolkits: readonly {
    readonly tools: readonly { readonly slug: string; readonly version: string; readonly input_parameters: object }[];
  }[];
}

/** Options of an argument validator. */
export interface ArgumentValidatorOptions {
  /** Tools whose schemas are known. All others are requested from the service. */
  readonly catalog?: ToolSchemas | undefined;
}

/**
 * Creates the validator that {@link checkArguments} uses. Its `check` also checks single values.
 *
 * A check takes limited time, whatever the schema and the arguments are. Patterns are matched in linear time, without
 * the runtime's own engine. The client warns and sends the call unchecked if a schema is invalid or takes too long. It
 * also warns if everything it could check is valid, but a pattern can't be matched in linear time because it refers
 * back to a group (`(a)\1`), or isn't valid JavaScript.
 *
 * A schema must not change after its first check: what it contains is read once.
 *
 * It evaluates no code, so it runs at the edge. The client doesn't load it unless you pass it.
 */
export function argumentValidator({ catalog }: ArgumentValidatorOptions = {}): ArgumentValidator {
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
      const { mismatches, unchecked } = checkJsonSchema(schema, JSON.parse(JSON.stringify(value)));
      if (mismatches.length === 0 && unchecked.length > 0) throw new PartlyChecked(unchecked.join(" "));
      return mismatches;
    },
  };
}

/**
 * Rejects executions whose `arguments` don't match the tool's input schema, before anything is sent.
 *
 * ```ts
 * const svc = new Svc({ use: [checkArguments()], toolkitVersions: { weathermap: "20250801_00" } });
 * ```
 *
 * An argument that the schema doesn't mention, but doesn't forbid either, causes a warning.
 *
 * It asks the service for the tool, once per tool and dated version, and each time for `latest`. If that fails, the
 * call is sent unchecked, with a warning to the call's listeners, or otherwise to the console.
 *
 * @param validator - `argumentValidator({ catalog })` knows schemas without asking.
 * @throws {ConfigError} if it isn't a validator.
 */
export function checkArguments(validator: ArgumentValidator = argumentValidator()): Middleware {
  if (typeof field(validator, "check") !== "function") {
    throw new ConfigError("checkArguments: the validator must be argumentValidator(), or an object with check.");
  }
  return checkingMiddleware(validator);
}
