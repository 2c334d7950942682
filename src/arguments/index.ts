import type { Middleware } from "../core/middleware.js";
import { ConfigError } from "../errors/local.js";
import { field } from "../json.js";
import { type ArgumentValidator, checkingMiddleware } from "./check-arguments.js";
import { checkJsonSchema } from "./check-json-schema.js";

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
 * A check takes bounded time, whatever the schema and the arguments say. Patterns are matched in linear time, without the
 * runtime's own engine. The client warns once and sends the call if a schema can't be read or asks for too much, and if all that
 * could be checked fits but a pattern is one that can't be matched so: one that refers back to a group (`(a)\1`), or that isn't
 * valid JavaScript.
 *
 * It evaluates no code, so it runs at the edge. The client doesn't load it unless you pass it.
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
      const { mismatches, unchecked } = checkJsonSchema(schema, JSON.parse(JSON.stringify(value)));
      // What is thrown becomes the client's warning, and the call goes on.
      if (mismatches.length === 0 && unchecked.length > 0) throw new Error(unchecked.join(" "));
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
 * It asks the service for the tool, once for each tool and dated version and each time for `latest`. If that fails, the arguments
 * go unchecked, with a warning to the call's listeners, or to the console if there are none.
 *
 * @param validator - `argumentValidator({ catalogue })` knows schemas without asking.
 * @throws {ConfigError} if it isn't a validator.
 */
export function checkArguments(validator: ArgumentValidator = argumentValidator()): Middleware {
  if (typeof field(validator, "check") !== "function") {
    throw new ConfigError("checkArguments: the validator must be argumentValidator(), or an object with check.");
  }
  return checkingMiddleware(validator);
}
