import type { Shape } from "./names.js";

/**
 * The call that replaces a method: `=` for the same one; `tools.get` for one with the same parameters, and
 * `tools.get($slug)` for one with some of them; `!` and the reason if a person must decide, with the section of the
 * guide.
 *
 * `$params.key` is the value of a property, `$params-key` the object without it, `...$params` its properties. `$x#name`
 * renames the fields of an object as the table of that name does. A parameter that isn't passed is omitted. `$client`,
 * `$self` and `$adapter` are the client, the object of the method and the adapter; `!` ends such a name before a
 * period. A leading `=` followed by code replaces the awaited call.
 */
export type Template = string;

/**
 * Templates by condition, the first that holds: `status=ENABLED` for a literal, `query?string`, `?object`, `?present`
 * and `?absent` for what is passed. `otherwise` is the last one, `result` the shape of all.
 */
export type Replacement =
  | Template
  | ({ readonly otherwise: Template; readonly result?: Shape } & Readonly<Record<string, string>>);

/** Two methods instead of a status that must be a literal, `status=on|off`, for the id in a placeholder. */
export function byStatus(group: string, status: string, id = "$id"): Exclude<Replacement, string> {
  const [enabled = "", off = ""] = status.split("|");
  return {
    [enabled]: `${group}.enable(${id}, $options)`,
    [enabled.replace(/=.*/, `=${off}`)]: `${group}.disable(${id}, $options)`,
    otherwise: `!the status isn't a literal: call svc.${group}.enable or disable. #from-another-client`,
  };
}

/** Replacements by the method with its parameters: `tools.get(slug, query, options)`. */
export type MethodTable = Readonly<Record<string, Replacement>>;

/** A row of a table. */
export interface Method {
  /** Such as `tools.get`. */
  readonly path: string;
  readonly parameters: readonly string[];
  readonly result: Shape | undefined;
  /** Condition and template, the one without a condition last. */
  readonly cases: readonly (readonly [condition: string | undefined, template: Template])[];
}

/** The rows of a table by path. */
export function methodsOf(table: MethodTable): ReadonlyMap<string, Method> {
  const rows = Object.entries(table).map(([signature, replacement]): [string, Method] => {
    const [, path = "", list = ""] = /^([\w.]+)\((.*)\)$/.exec(signature) ?? [];
    const parameters = list === "" ? [] : list.split(", ");
    const passed = `(${parameters.map((name) => `$${name}`).join(", ")})`;
    const whole = (template: Template) => (/^[\w.]+$/.test(template) ? template + passed : template);
    const { otherwise, result, ...conditions }: Exclude<Replacement, string> =
      typeof replacement === "string" ? { otherwise: replacement } : replacement;
    const cases = Object.entries(conditions).map(([condition, template]) => [condition, whole(template)] as const);
    return [path, { path, parameters, result, cases: [...cases, [undefined, whole(otherwise)]] }];
  });
  return new Map(rows);
}
