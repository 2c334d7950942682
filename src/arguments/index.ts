import type { Middleware } from "../core/middleware.js";
import { type ArgumentValidator, checkingMiddleware } from "./check-arguments.js";
import { mismatchesOfJsonSchema } from "./check-json-schema.js";

export type { ArgumentValidator } from "./check-arguments.js";

/** A catalogue snapshot, as far as checking reads it: the parsed content of a file that `svc lock --snapshot` wrote. */
export interface KnownTools {
  /** Per toolkit, its tools with the JSON Schema of their arguments. */
  readonly toolkits: readonly {
    readonly tools: readonly { readonly slug: string; readonly version: string; readonly input_parameters: object }[];
  }[];
}

/** Options of an argument validator. */
export interface ArgumentValidatorOptions {
  /** Tools whose schemas need not be asked for. Other tools and versions are asked for. */
  readonly catalogue?: KnownTools | undefined;
}

/**
 * Creates the checker of arguments that {@link checkArguments} uses: for single values, and for a checker of your own around it.
 *
 * Patterns of the tool's schema run as they are. One that backtracks without end blocks the program while it is matched, and no
 * deadline can end it: for tools whose schemas you do not trust, leave this out.
 *
 * It evaluates no code, so it runs at the edge. It brings a JSON Schema validator along, which is why the client does not load
 * it by itself.
 */
export function argumentValidator({ catalogue }: ArgumentValidatorOptions = {}): ArgumentValidator {
  const known = new Map(
    (catalogue?.toolkits ?? []).flatMap(({ tools }) =>
      tools.map(({ slug, version, input_parameters }) => [`${slug} ${version}`, input_parameters] as const),
    ),
  );
  return {
    schemaOf: (toolSlug, version) => known.get(`${toolSlug} ${version}`),
    check: (schema, value) => {
      if (typeof schema !== "object" || schema === null) throw new Error("The tool's input schema is no object.");
      // As they will be sent: without what JSON leaves out, and with dates as texts.
      return mismatchesOfJsonSchema(schema, JSON.parse(JSON.stringify(value)));
    },
  };
}

/**
 * Rejects executions whose `arguments` don't match the tool's input schema, before anything is sent.
 *
 * ```ts
 * const svc = new Svc({ use: [checkArguments()] });
 * ```
 *
 * It asks the service for the tool, once for each tool and dated version and each time for `latest`. If that fails, the arguments
 * go unchecked, with a warning to the call's listeners, or to the console if there are none.
 *
 * @param validator - `argumentValidator({ catalogue })` knows schemas without asking.
 */
export function checkArguments(validator: ArgumentValidator = argumentValidator()): Middleware {
  return checkingMiddleware(validator);
}
