import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { canonicalJson } from "../../shared/canonical-json.js";
import { type Fields, fieldsOf, isJson, isLongInteger, isString, mapMembers } from "../../shared/json.js";
import { didYouMean } from "../../shared/nearest-name.js";
import { sha256 } from "../../shared/sha256-sync.js";
import { misspelledHint } from "../../shared/tools.js";
import type { ArgumentCondition, Budget, ResultLabel, RuleMatch, ToolMatch } from "./rules.js";

export const EFFECTS = ["allow", "ask", "deny", "dryRun"] as const;
export type Effect = (typeof EFFECTS)[number];

const LONGEST = 500;
/** The shortest period of a budget, in milliseconds. */
const SHORTEST = 1_000;

const isPattern = (value: unknown) => isString(value) && value.length > 0 && value.length <= LONGEST;
const TEXT = option.fitting(`a string of 1 to ${LONGEST} characters`, isPattern);
const LIST = {
  ...option.fitting(
    `a list of at least one string, each of 1 to ${LONGEST} characters`,
    (value) => Array.isArray(value) && value.length > 0 && value.every(isPattern),
  ),
  isGiven: true,
  read: copied,
} as const;
const TAGS = { ...LIST, problems: tagProblems } as const;
const NUMBER = { ...option.fitting("a number", Number.isFinite), isGiven: true } as const;
const NESTED = { isGiven: true, read: conditionOf, problems: conditionProblems } as const;

const EXACT = "with integers beyond 2^53 − 1 as strings of their digits";
/** Whether a value is JSON that an argument can equal. A larger integer was rounded, and arguments have its digits. */
const isExactJson = (value: unknown) => isJson(value) && !hasLongInteger(value);

const CONDITION = {
  is: { ...option.fitting(`a JSON value, ${EXACT}`, isExactJson), isGiven: true, read: copied },
  oneOf: {
    ...option.fitting(
      `a list of JSON values, ${EXACT}`,
      (value) => Array.isArray(value) && value.length > 0 && isExactJson(value),
    ),
    isGiven: true,
    read: copied,
  },
  like: { ...option.fitting(`a pattern of 1 to ${LONGEST} characters`, isPattern), isGiven: true },
  atLeast: NUMBER,
  atMost: NUMBER,
  present: { ...option.BOOLEAN, isGiven: true },
  every: NESTED,
  some: NESTED,
  not: NESTED,
} as const satisfies option.Rules<ArgumentCondition>;
const CONDITION_NAMES = Object.keys(CONDITION);

export const MATCH = {
  tools: LIST,
  toolkits: LIST,
  tags: TAGS,
  versions: LIST,
  users: LIST,
  accounts: LIST,
  after: LIST,
  when: { isGiven: true, read: conditionsOf, problems: whenProblems },
  name: TEXT,
  reason: TEXT,
} as const satisfies option.Rules<RuleMatch>;

const integerFrom = (least: number) =>
  option.fitting(`an integer of at least ${least}`, (value) => Number.isSafeInteger(value) && Number(value) >= least);
const LIMIT = { ...integerFrom(1), isGiven: true } as const;
const COST = integerFrom(0);

const BUDGET = {
  id: TEXT,
  tools: LIST,
  toolkits: LIST,
  tags: TAGS,
  maxCalls: LIMIT,
  maxCallsPerTool: LIMIT,
  maxArgumentBytes: LIMIT,
  maxCost: LIMIT,
  costs: { isGiven: true, read: copied, problems: costProblems },
  windowMs: integerFrom(SHORTEST),
  per: { ...option.oneOf("user", "conversation", "all"), default: "user" },
  atLimit: { ...option.oneOf("deny", "ask"), default: "deny" },
  name: TEXT,
} as const satisfies option.Rules<Budget>;
const LIMITS = [
  "maxCalls",
  "maxCallsPerTool",
  "maxArgumentBytes",
  "maxCost",
] as const satisfies readonly (keyof Budget)[];

const LABEL = {
  as: option.required(TEXT),
  tools: LIST,
  toolkits: LIST,
  tags: TAGS,
} as const satisfies option.Rules<ResultLabel>;
const LABELED = ["tools", "toolkits", "tags"] as const satisfies readonly (keyof ToolMatch)[];

export type CheckedBudget = option.Filled<Budget, typeof BUDGET>;

/** A rule that was checked, with its own copy of the fields. */
export type CheckedRule =
  | { readonly kind: Effect; readonly fields: RuleMatch }
  | { readonly kind: "budget"; readonly fields: CheckedBudget }
  | { readonly kind: "label"; readonly fields: ResultLabel };

/** Reads a rule. @throws {ConfigError} if it isn't one: where, and what was meant. */
export function checkedRule(given: unknown, place: string): CheckedRule {
  const kinds = [...EFFECTS, "budget", "label"] as const;
  const rule = fieldsOf(given, kinds) ?? {};
  const [name, ...others] = Object.keys(rule);
  const kind = kinds.find((known) => known === name);
  if (kind === undefined || others.length > 0) {
    const unknown = Object.keys(rule).filter((key) => !kinds.some((known) => known === key));
    const several = others.length > 0 ? ` It has ${others.length + 1}: make each a separate rule.` : "";
    const hint = unknown.map((key) => didYouMean(key, kinds)).find(Boolean) ?? several;
    throw new ConfigError(`policy: ${place} must be an object with one of the keys ${kinds.join(", ")}.${hint}`);
  }
  // Without its fields, it would be a rule about every call. Their types are checked next.
  const fields = (rule[kind] ?? null) as RuleMatch & Budget & ResultLabel;
  const path = `${place}.${kind}.`;
  if (kind === "label") {
    const label = option.checkAll<ResultLabel, typeof LABEL>("policy", fields, LABEL, path);
    const isChosen = LABELED.some((field) => label[field] !== undefined);
    if (!isChosen) throw new ConfigError(`policy: ${place}.label needs one of ${LABELED.join(", ")}.`);
    return { kind, fields: label };
  }
  if (kind !== "budget")
    return { kind, fields: option.checkAll<RuleMatch, typeof MATCH>("policy", fields, MATCH, path) };
  const limits = option.checkAll<Budget, typeof BUDGET>("policy", fields, BUDGET, path);
  const isLimited = LIMITS.some((limit) => limits[limit] !== undefined);
  if (!isLimited) throw new ConfigError(`policy: ${place}.budget needs one of ${LIMITS.join(", ")}.`);
  if ((limits.maxCost === undefined) !== (limits.costs === undefined)) {
    throw new ConfigError(`policy: ${place}.budget needs maxCost and costs together.`);
  }
  return { kind, fields: limits };
}

function hasLongInteger(value: unknown): boolean {
  if (typeof value === "number") return isLongInteger(String(value));
  return typeof value === "object" && value !== null && Object.values(value).some(hasLongInteger);
}

function costProblems(name: string, costs: unknown): string[] {
  const entries = Object.entries(fieldsOf(costs) ?? {});
  if (entries.length === 0) return [`${name} must be an object with costs by tool or pattern: { "STRIPE_*": 5 }.`];
  return entries.flatMap(([tool, cost]) =>
    COST.isFit(cost) ? [] : [`${name}[${JSON.stringify(tool)}] must be ${COST.must}.`],
  );
}

/** A misspelled hint would match no tool, so a rule that denies destructive tools would deny none. */
function tagProblems(name: string, tags: unknown): string[] {
  return [tags]
    .flat()
    .filter(isString)
    .flatMap((tag) => {
      const quoted = JSON.stringify(tag);
      if (tag.includes("*")) return [`${name} has the pattern ${quoted}. Tags are compared exactly.`];
      const meant = misspelledHint(tag);
      return meant === undefined ? [] : [`${name} has ${quoted}. Did you mean ${meant}?`];
    });
}

function whenProblems(path: string, when: unknown): string[] {
  if (typeof when === "function") return [];
  const conditions = Object.entries(fieldsOf(when) ?? {});
  if (conditions.length === 0) return [`${path} must be a function or an object of conditions by argument.`];
  return conditions.flatMap(([name, condition]) => conditionProblems(`${path}[${JSON.stringify(name)}]`, condition));
}

function conditionProblems(path: string, condition: unknown): string[] {
  const fields = fieldsOf(condition) ?? {};
  if (Object.keys(fields).length > 0)
    return [...option.read<ArgumentCondition, typeof CONDITION>(fields, CONDITION, `${path}.`).problems];
  return [`${path} must be an object with some of the keys ${CONDITION_NAMES.join(", ")}.`];
}

/** Copies conditions by argument, which no one else can change then. */
function conditionsOf(when: unknown): unknown {
  return mapFields(fieldsOf(when), (condition) => conditionOf(condition) ?? condition);
}

function conditionOf(condition: unknown): unknown {
  const rules: Readonly<Record<string, option.OptionRule>> = CONDITION;
  return mapFields(fieldsOf(condition, CONDITION_NAMES), (value, name) => {
    const read = rules[name]?.read ?? copied;
    return read(value) ?? value;
  });
}

/** Copies data. What isn't data, such as a `Map`, is kept for the checks. */
function copied(value: unknown): unknown {
  // A gap in a list isn't visited by map().
  if (Array.isArray(value)) return [...value].map(copied);
  return mapFields(fieldsOf(value), copied) ?? value;
}

function mapFields(fields: Fields | undefined, convert: (value: unknown, name: string) => unknown): unknown {
  for (const [name, value] of Object.entries(fields ?? {})) if (fields) fields[name] = convert(value, name);
  return fields;
}

/** SHA-256 of rules, whatever the order of their keys, in hexadecimal. Functions count with their source code. */
export function rulesDigest(rules: unknown): string {
  return sha256(canonicalJson(withCode(rules)));
}

/** A copy in which functions are their source code. */
function withCode(value: unknown): unknown {
  return typeof value === "function" ? { code: String(value) } : mapMembers(value, (member) => withCode(member));
}
