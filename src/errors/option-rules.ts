import { type Fields, field, fieldsOf, isObject, isRecord, isString } from "../shared/json.js";
import { unknownNames } from "../shared/nearest-name.js";
import { MAX_TIMER_MS } from "../shared/timers.js";
import { ConfigError } from "./local.js";

/** A rule about the values of an option. Without a check, the code that reads the option checks it. */
export interface OptionRule {
  /** The kind of its values, for documentation. */
  readonly kind?: string;
  /** Whether the option must be passed. */
  readonly isRequired?: true;
  /** Whether `undefined` is a problem, because a setting that is missing by mistake would widen a rule. */
  readonly isGiven?: true;
  /** The value of an option that isn't passed. */
  readonly default?: unknown;
  /** Reads an option that has fields. `undefined` keeps the value for the check. */
  readonly read?: (value: unknown) => unknown;
  /** Words for the values that fit: `file must be <words>.` */
  readonly must?: string;
  /** Whether a value is accepted. */
  readonly isFit?: (value: unknown) => boolean;
  /** The problems with a value, in sentences, for options with several. */
  readonly problems?: (name: string, value: unknown) => string[];
}

/** The strings and booleans that a type lists. */
type ChoiceIn<Value> = Value extends boolean
  ? Value
  : Value extends string
    ? string extends Value
      ? never
      : Value
    : never;

/** Values that a rule lists. */
export interface Choices<Value> {
  readonly values?: readonly Value[];
  /** Never set. A parameter, so that the compiler rejects a list that lacks a value of the option's type. */
  readonly lists?: (value: Value) => void;
}

/** A rule about values of a type: its default is one of them, and its list of choices is complete. */
type RuleFor<Value> = OptionRule & Choices<ChoiceIn<Value>> & { readonly default?: Value };

/** A rule for each option. The compiler keeps the tables complete, and their values those of the options' types. */
export type Rules<Options> = { readonly [Name in keyof Options]-?: RuleFor<Options[Name]> };

/** Options with the defaults of their rules. */
export type Filled<Options, Table> = Options & {
  readonly [Name in keyof Options as Name extends keyof Table
    ? Table[Name] extends { readonly default: unknown }
      ? Name
      : never
    : never]-?: Exclude<Options[Name], undefined>;
};

type FittingRule = Required<Pick<OptionRule, "must" | "isFit">>;

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

/** Accepts some values: all that the option's type lists. */
// @__NO_SIDE_EFFECTS__
export function oneOf<const Value extends string | boolean>(...values: readonly Value[]) {
  const must = values.map((value) => JSON.stringify(value)).join(" or ");
  const isFit = (value: unknown) => values.some((one) => one === value);
  const choices: Choices<Value> & { readonly values: readonly Value[] } = { values };
  return { kind: "choice", ...choices, ...fitting(must, isFit) } as const;
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
export function either<Value extends string | boolean = never>(
  listed: FittingRule & Choices<Value>,
  other: FittingRule,
): FittingRule & Choices<Value> {
  const isFit = (value: unknown) => listed.isFit(value) || other.isFit(value);
  return fitting(`${listed.must} or ${other.must}`, isFit);
}

/** Rejects a missing value. */
// @__NO_SIDE_EFFECTS__
export const required = <Rule extends OptionRule>(rule: Rule) => ({ ...rule, isRequired: true }) as const;

export const isFunction = (value: unknown): boolean => typeof value === "function";

export const BOOLEAN = oneOf(true, false);
export const STRING = fitting("a string", isString);
export const NAME = fitting("a non-empty string", (value) => isString(value) && value !== "");
export const COUNT = fitting("an integer above 0", (value) => Number.isSafeInteger(value) && Number(value) > 0);
export const TIME = between(1, MAX_TIMER_MS);
export const OBJECT = fitting("an object", isObject);
/** Accepts objects whose names your program chooses, such as slugs. */
export const DICTIONARY = {
  ...fitting("a plain object", isRecord),
  read: (value: unknown) => fieldsOf(value),
} as const;
export const ARRAY = fitting("an array", Array.isArray);
export const STRINGS = fitting("an array of strings", (value) => Array.isArray(value) && value.every(isString));
export const FUNCTION = fitting("a function", isFunction);
export const FUNCTIONS = fitting("an array of functions", (value) => Array.isArray(value) && value.every(isFunction));
/** No environment is that of the process. */
export const ENVIRONMENT = fitting("an object with variables, such as process.env", (value) => {
  return value === null || isObject(value);
});
/** For the search of the execution log, which a client and a toolset start. */
export const SETTLE_LIMITS = {
  deadlineMs: { ...TIME, default: 30_000 },
  pollMs: { ...TIME, default: 1_000 },
  exclusive: { ...BOOLEAN, default: false },
  loggedWithinMs: fitting("a positive number", (value) => Number(value) === value && value > 0),
} as const;
// By shape: a signal from another realm or a polyfill isn't an instance of this realm's class.
export const SIGNAL = fitting("an AbortSignal. If you have an AbortController, pass its signal", (value) =>
  isFunction(field(value, "throwIfAborted")),
);

/**
 * Reads options, each once, so that no value changes after its check, and adds the defaults. How the options hold a
 * value makes no difference: a getter or a class may.
 *
 * @param path - Where the options are, in front of their names: `rules[0].allow.`.
 */
export function read<Options extends object, const Table extends Rules<NoInfer<Options>>>(
  given: Options | undefined,
  rules: Table,
  path = "",
): { readonly options: Filled<Options, Table>; readonly problems: string[] } {
  const table: Readonly<Record<string, OptionRule>> = rules;
  const names = Object.keys(table);
  const options: Fields = Object.create(null);
  const fields = fieldsOf(given === undefined ? options : given, names);
  const unknown: string[] = [];
  for (const name in fields) if (!names.includes(name)) unknown.push(name);
  const problems = unknown.length > 0 ? unknownNames(unknown, names, path) : [];
  // Its names are those of the rules.
  const result = { options: options as Filled<Options, Table>, problems };
  if (!fields) {
    const what = path.slice(0, -1) || "the options";
    problems.push(`${what} must be an object, such as { ${names[0]} }. If you passed a promise, await it.`);
    return result;
  }
  for (const name of names) {
    const rule: OptionRule = table[name] ?? {};
    const found = fields[name];
    const isPassed = name in fields;
    const value = found === undefined ? rule.default : (rule.read?.(found) ?? found);
    if (value !== undefined || isPassed) options[name] = value;
    if (value === undefined && rule.isGiven && isPassed) {
      problems.push(`${path}${name} is undefined. Omit it if you don't set it.`);
    }
    // A default fits.
    if (found === undefined && !rule.isRequired) continue;
    if (rule.isFit?.(value) === false) problems.push(`${path}${name} must be ${rule.must}.`);
    for (const problem of rule.problems?.(`${path}${name}`, value) ?? []) problems.push(problem);
  }
  return result;
}

/**
 * Reads options as {@link read} does.
 *
 * @throws {ConfigError} that lists all problems.
 */
export function checkAll<Options extends object, const Table extends Rules<NoInfer<Options>>>(
  operation: string,
  given: Options | undefined,
  rules: Table,
  path?: string,
): Filled<Options, Table> {
  const { options, problems } = read(given, rules, path);
  if (problems.length > 0) throw new ConfigError(`${operation}: ${problems.join(" ")}`);
  return options;
}

/** Checks an argument. @throws {ConfigError} if it's missing or doesn't fit. */
export function check(operation: string, name: string, value: unknown, rule: OptionRule): void {
  checkAll(operation, { [name]: value }, { [name]: required(rule) });
}
