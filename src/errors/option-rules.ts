import { field, isObject, isRecord, isString } from "../shared/json.js";
import { unknownName } from "../shared/nearest-name.js";
import { MAX_TIMER_MS } from "../shared/timers.js";
import { ConfigError } from "./local.js";

/** A rule about the values of an option. Without a check, the code that reads the option checks it. */
export interface Rule {
  /** The kind of its values, for documentation. */
  readonly kind?: string;
  /** Whether the option must be passed. */
  readonly isRequired?: true;
  /** Words for the values that fit: `file must be <words>.` */
  readonly must?: string;
  /** Whether a value is accepted. */
  readonly isFit?: (value: unknown) => boolean;
  /** The problems with a value, in sentences, for options with several. */
  readonly problems?: (name: string, value: unknown) => string[];
}

/** A rule for each option. The compiler keeps the tables complete. */
export type Rules<Options> = Readonly<Record<keyof Options, Rule>>;

type FittingRule = Rule & Required<Pick<Rule, "must" | "isFit">>;

/** Accepts the values that fit. */
// Bundlers drop the rules that a program doesn't use. @__NO_SIDE_EFFECTS__
export const fitting = (must: string, isFit: (value: unknown) => boolean): FittingRule => ({ must, isFit });

/** Accepts numbers within limits. */
// @__NO_SIDE_EFFECTS__
export function between(least: number, most: number, isInteger = false) {
  const must = `${isInteger ? "an integer" : "a number"} from ${least} to ${most}`;
  const isFit = (value: unknown) =>
    Number(value) === value && value >= least && value <= most && (!isInteger || value % 1 === 0);
  return { kind: "number", least, most, ...fitting(must, isFit) } as const;
}

/** Accepts some values. */
// @__NO_SIDE_EFFECTS__
export function oneOf(...values: readonly unknown[]) {
  const must = values.map((value) => JSON.stringify(value)).join(" or ");
  return { kind: "choice", values, ...fitting(must, (value) => values.includes(value)) } as const;
}

/** Accepts objects with methods, which are called late, perhaps after an effect. `origin` is where to get one. */
// @__NO_SIDE_EFFECTS__
export function withMethods(methods: readonly string[], origin = "") {
  const isFit = (value: unknown) => methods.every((method) => isFunction(field(value, method)));
  const must = `${origin}an object with ${methods.map((method) => `${method}()`).join(", ")}`;
  return { kind: "object", ...fitting(must, isFit) } as const;
}

/** Accepts what one of the rules accepts. */
// @__NO_SIDE_EFFECTS__
export function either(...rules: readonly FittingRule[]): FittingRule {
  const must = rules.map((rule) => rule.must).join(" or ");
  return fitting(must, (value) => rules.some(({ isFit }) => isFit(value)));
}

/** Rejects a missing value. */
// @__NO_SIDE_EFFECTS__
export const required = (rule: Rule) => ({ ...rule, isRequired: true }) as const;

export const isFunction = (value: unknown): boolean => typeof value === "function";

export const BOOLEAN = oneOf(true, false);
export const STRING = fitting("a string", isString);
export const NAME = fitting("a non-empty string", (value) => isString(value) && value !== "");
export const COUNT = fitting("an integer above 0", (value) => Number.isSafeInteger(value) && Number(value) > 0);
export const TIME = between(1, MAX_TIMER_MS);
export const OBJECT = fitting("an object", isObject);
export const ARRAY = fitting("an array", Array.isArray);
export const STRINGS = fitting("an array of strings", (value) => Array.isArray(value) && value.every(isString));
export const FUNCTION = fitting("a function", isFunction);
export const FUNCTIONS = fitting("an array of functions", (value) => Array.isArray(value) && value.every(isFunction));
/** No environment is that of the process. */
export const ENVIRONMENT = fitting("an object with variables, such as process.env", (value) => {
  return value === null || isObject(value);
});
// By shape: a signal from another realm or a polyfill isn't an instance of this realm's class.
export const SIGNAL = fitting("an AbortSignal. If you have an AbortController, pass its signal", (value) =>
  isFunction(field(value, "throwIfAborted")),
);

/** The problems with options, in sentences. Unknown names are problems: a misspelled limit wouldn't apply. */
export function problemsIn(options: unknown, rules: Rules<Readonly<Record<string, unknown>>>): string[] {
  const names = Object.keys(rules);
  if (!isRecord(options)) {
    return [`the options must be an object, such as { ${names[0]} }. If you passed a promise, await it.`];
  }
  const problems: string[] = [];
  for (const name of Object.keys(options)) if (!Object.hasOwn(rules, name)) problems.push(unknownName(name, names));
  for (const [name, rule] of Object.entries(rules)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && !rule.isRequired) continue;
    if (rule.isFit?.(value) === false) problems.push(`${name} must be ${rule.must}.`);
    if (rule.problems) problems.push(...rule.problems(name, value));
  }
  return problems;
}

/**
 * Checks options, and returns a copy of them. Each option is read once, wherever it's inherited from, so that no value
 * changes after its check.
 *
 * @throws {ConfigError} that lists all problems.
 */
export function checkAll<Options extends object>(
  operation: string,
  given: Options | undefined,
  rules: Rules<NoInfer<Options>>,
): Options {
  const options: object = given === undefined ? {} : given;
  const names = [...Object.keys(Object(options)), ...Object.keys(rules)];
  const read = isRecord(options) ? Object.fromEntries(names.map((name) => [name, field(options, name)])) : options;
  const problems = problemsIn(read, rules);
  if (problems.length > 0) throw new ConfigError(`${operation}: ${problems.join(" ")}`);
  // Its names are those of the rules.
  return read as Options;
}

/** Checks an argument. @throws {ConfigError} if it's missing or doesn't fit. */
export function check(operation: string, name: string, value: unknown, rule: Rule): void {
  checkAll(operation, { [name]: value }, { [name]: required(rule) });
}
