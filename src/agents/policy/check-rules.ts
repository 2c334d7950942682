import { ConfigError } from "../../errors/local.js";
import { field, isString, type Json, mapMembers } from "../../shared/json.js";
import { firstTime } from "../../shared/memory.js";
import { didYouMean } from "../../shared/nearest-name.js";
import { misspelledHint } from "../../shared/tools.js";
import { canonicalJson } from "../canonical.js";
import { READABLE_META_TOOLS } from "../tool.js";
import type { GuardContext } from "../toolset-options.js";
import type { FindTools } from "./inner-calls.js";
import { sha256 } from "./sha256.js";

export const EFFECTS = ["allow", "ask", "deny", "dryRun"] as const;
export type Effect = (typeof EFFECTS)[number];

const TOOL_LISTS = ["tools", "toolkits", "tags"];
const LISTS = [...TOOL_LISTS, "versions", "users", "accounts"];
const LIMITS = ["maxCalls", "maxCallsPerTool", "maxArgumentBytes"];
const PERIODS: readonly unknown[] = ["user", "conversation", "all"];
const LONGEST = 500;
const A_TEXT = `a string of 1 to ${LONGEST} characters`;
/** The shortest period of a budget, in milliseconds. */
const SHORTEST = 1_000;

/** The kind of a rule and its fields. @throws {ConfigError} if it isn't a rule: where, and what was meant. */
export function checkedRule(rule: unknown, place: string): { readonly kind: Effect | "budget"; readonly fields: Json } {
  const kinds = [...EFFECTS, "budget"] as const;
  const given = Object.keys(isPlain(rule) ? rule : {});
  const kind = kinds.find((name) => name === given[0]);
  if (!isPlain(rule) || given.length !== 1 || kind === undefined) {
    const unknown = given.filter((name) => !kinds.some((known) => known === name));
    const several = given.length > 1 ? ` It has ${given.length}: make each a separate rule.` : "";
    const hint = unknown.map((name) => didYouMean(name, kinds)).find(Boolean) ?? several;
    throw wrong(place, `must be an object with one of the keys ${kinds.join(", ")}.${hint}`);
  }
  const fields = rule[kind];
  const at = `${place}.${kind}`;
  if (!isPlain(fields)) throw wrong(at, "must be an object.");
  if (kind === "budget") checkBudget(fields, at);
  else checkMatch(fields, at);
  return { kind, fields };
}

function checkMatch(fields: Json, at: string): void {
  checkKeys(fields, [...LISTS, "when", "name", "reason"], at);
  checkGiven(fields, [...LISTS, "when"], at);
  checkLists(fields, LISTS, at);
  checkFields(fields, ["name", "reason"], at, isPattern, A_TEXT);
  const { when } = fields;
  if (when === undefined || typeof when === "function") return;
  if (!isPlain(when) || Object.keys(when).length === 0) {
    throw wrong(`${at}.when`, "must be a function or an object of conditions by argument.");
  }
  for (const [name, condition] of Object.entries(when))
    checkCondition(condition, `${at}.when[${JSON.stringify(name)}]`);
}

function checkBudget(fields: Json, at: string): void {
  checkKeys(fields, [...TOOL_LISTS, ...LIMITS, "windowMs", "per", "name"], at);
  checkGiven(fields, [...TOOL_LISTS, ...LIMITS], at);
  checkLists(fields, TOOL_LISTS, at);
  checkFields(fields, ["name"], at, isPattern, A_TEXT);
  checkFields(fields, LIMITS, at, isIntegerFrom(1), "an integer of at least 1");
  checkFields(fields, ["windowMs"], at, isIntegerFrom(SHORTEST), `an integer of at least ${SHORTEST}`);
  if (LIMITS.every((name) => fields[name] === undefined)) throw wrong(at, `needs one of ${LIMITS.join(", ")}.`);
  checkFields(fields, ["per"], at, (value) => PERIODS.includes(value), `one of ${PERIODS.join(", ")}`);
}

const CONDITIONS: Readonly<Record<string, (value: unknown, at: string) => string | undefined>> = {
  is: (value) => (isJsonValue(value) ? undefined : "must be a JSON value."),
  oneOf: (value) =>
    Array.isArray(value) && value.length > 0 && isJsonValue(value) ? undefined : "must be a list of JSON values.",
  like: (value) => (isPattern(value) ? undefined : `must be a pattern of 1 to ${LONGEST} characters.`),
  atLeast: (value) => (Number.isFinite(value) ? undefined : "must be a number."),
  atMost: (value) => (Number.isFinite(value) ? undefined : "must be a number."),
  present: (value) => (typeof value === "boolean" ? undefined : "must be true or false."),
  every: checkCondition,
  some: checkCondition,
  not: checkCondition,
};

function checkCondition(condition: unknown, at: string): undefined {
  const known = Object.keys(CONDITIONS);
  if (!isPlain(condition) || Object.keys(condition).length === 0) {
    throw wrong(at, `must be an object with some of the keys ${known.join(", ")}.`);
  }
  checkKeys(condition, known, at);
  for (const [name, value] of Object.entries(condition)) {
    const problem = CONDITIONS[name]?.(value, `${at}.${name}`);
    if (problem !== undefined) throw wrong(`${at}.${name}`, problem);
  }
}

/** @throws {ConfigError} for a key that isn't known, with the closest one that is. */
export function checkKeys(fields: Json, known: readonly string[], at: string): void {
  const stranger = Object.keys(fields).find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const hint = didYouMean(stranger, known, ` Its keys are ${known.join(", ")}.`);
  throw wrong(at, `has no key ${JSON.stringify(stranger.slice(0, LONGEST))}.${hint}`);
}

/** A setting that is missing by mistake must not become a rule about every call, or a budget without a limit. */
function checkGiven(fields: Json, names: readonly string[], at: string): void {
  const missing = names.find((name) => name in fields && fields[name] === undefined);
  if (missing !== undefined)
    throw wrong(`${at}.${missing}`, "is undefined. Omit the field if it isn't meant to limit the rule.");
}

function checkFields(
  fields: Json,
  names: readonly string[],
  at: string,
  isRight: (value: unknown) => boolean,
  expected: string,
): void {
  const odd = names.find((name) => fields[name] !== undefined && !isRight(fields[name]));
  if (odd !== undefined) throw wrong(`${at}.${odd}`, `must be ${expected}.`);
}

function isIntegerFrom(least: number): (value: unknown) => boolean {
  return (value) => Number.isSafeInteger(value) && Number(value) >= least;
}

function checkLists(fields: Json, names: readonly string[], at: string): void {
  const isRight = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isPattern);
  checkFields(fields, names, at, isRight, `a list of at least one string, each of 1 to ${LONGEST} characters`);
  // A misspelled hint would match no tool, so a rule that denies destructive tools would deny none. A list of strings:
  // that was just checked.
  for (const tag of (fields["tags"] ?? []) as readonly string[]) {
    const quoted = JSON.stringify(tag);
    if (tag.includes("*")) throw wrong(`${at}.tags`, `has the pattern ${quoted}. Tags are compared exactly.`);
    const meant = misspelledHint(tag);
    if (meant !== undefined) throw wrong(`${at}.tags`, `has ${quoted}. Did you mean ${meant}?`);
  }
}

/** Whether a value is JSON. Other values would be omitted or `null`, and a condition would match other arguments. */
function isJsonValue(value: unknown): boolean {
  // A copy, because a gap in a list isn't visited.
  if (Array.isArray(value)) return [...value].every(isJsonValue);
  if (isPlain(value)) return Object.values(value).every(isJsonValue);
  return value === null || isString(value) || typeof value === "boolean" || Number.isFinite(value);
}

/** Whether a value is an object of fields. A date or a `Map` isn't: its fields aren't its content. */
function isPlain(value: unknown): value is Json {
  return Object.prototype.toString.call(value) === "[object Object]" && typeof field(value, "toJSON") !== "function";
}

function isPattern(value: unknown): value is string {
  return isString(value) && value.length > 0 && value.length <= LONGEST;
}

function wrong(at: string, problem: string): ConfigError {
  return new ConfigError(`policy: ${at} ${problem}`);
}

/** A copy of a rule that no one else can change. A value that isn't data, such as a date, is kept for the checks. */
export function copied(value: unknown): unknown {
  return mapped(value, (member) => member);
}

/** SHA-256 of rules, whatever the order of their keys, in hexadecimal. Functions count with their source code. */
export function rulesDigest(rules: unknown): string {
  return sha256(
    canonicalJson(mapped(rules, (member) => (typeof member === "function" ? { code: String(member) } : member))),
  );
}

function mapped(value: unknown, leaf: (member: unknown) => unknown): unknown {
  return Array.isArray(value) || isPlain(value) ? mapMembers(value, (member) => mapped(member, leaf)) : leaf(value);
}

/** A tool or toolkit that a rule names, not by a pattern. */
export interface RuleName {
  readonly field: "tools" | "toolkits";
  readonly name: string;
  /** The place in the policy, as in `rules[1].deny.tools`. */
  readonly place: string;
}

/** Meta tools that are known. */
const META_TOOLS: readonly string[] = [...READABLE_META_TOOLS, "SVC_REMOTE_WORKBENCH", "SVC_REMOTE_BASH_TOOL"];

/** Creates the check of a policy's names against the tools of each toolset. */
export function nameCheck(names: readonly RuleName[]) {
  const isNew = firstTime();
  return async (context: GuardContext, findTools: FindTools): Promise<void> => {
    const { tools, omitted, catalog, client } = context;
    const chosen = [...tools, ...omitted];
    const known = {
      tools: [...chosen.map(({ name }) => name), ...META_TOOLS],
      toolkits: chosen.flatMap(({ toolkit }) => toolkit ?? []),
    };
    const isKnown = ({ field, name }: RuleName) => known[field].includes(name);
    let missing = names.filter((name) => !isKnown(name));
    if (missing.length === 0) return;
    // A session's meta tools reach tools that aren't listed.
    const reachesMore = !client && tools.some(({ kind }) => kind === "meta");
    if (reachesMore && catalog) {
      const slugs = missing.filter(({ field }) => field === "tools").map(({ name }) => name);
      const found = await findTools(slugs, {});
      known.tools.push(...found.keys());
      known.toolkits.push(...[...found.values()].flatMap(({ toolkit }) => toolkit ?? []));
      for (const { field, name } of missing) {
        if (field === "tools" || known.toolkits.includes(name)) continue;
        try {
          const { items } = await catalog.tools.list({ toolkit_slug: name, limit: 1 });
          known.toolkits.push(...items.map(({ toolkit }) => toolkit.slug));
        } catch (error) {
          // The service may reject a slug that no toolkit has.
          if (Reflect.get(Object(error), "status") !== 400) throw error;
        }
      }
      missing = missing.filter((name) => !isKnown(name));
    }
    for (const { field, name, place } of missing) {
      const problem = `policy: ${place} names ${JSON.stringify(name)}, which isn't among the ${field} of the toolset.`;
      if (!reachesMore || catalog) {
        const advice = " If several toolsets share the policy, pass { shared: true } to policy().";
        throw new ConfigError(problem + didYouMean(name, known[field], advice));
      }
      const advice = " Pass catalog to the toolset to look it up, or { shared: true } to policy().";
      if (isNew(name)) console.warn(problem + didYouMean(name, known[field], advice));
    }
  };
}
