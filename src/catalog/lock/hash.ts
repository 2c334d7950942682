import type { LockedTool } from "../../index.js";
import { canonicalSchema, objectText, withSortedRequired } from "../../json-schema/compare/canonical-schema.js";
import { canonicalJson } from "../../shared/canonical-json.js";
import { integrityOf } from "../../shared/digest.js";
import { escapeHidden } from "../../shared/hidden-text.js";
import { type Json, mapMembers } from "../../shared/json.js";

/** The parts of a tool that a lockfile covers, as the service returns them. */
export interface LockableTool {
  /** The tool's slug. */
  readonly slug: string;
  /** JSON Schema of the arguments. */
  readonly input_parameters: unknown;
  /** JSON Schema of the result. */
  readonly output_parameters: unknown;
  /** The name that people read. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Whether it needs no connected account. */
  readonly no_auth?: boolean | undefined;
  /** Scopes that the tool needs. */
  readonly scopes?: readonly string[] | undefined;
  /** The same with alternatives. */
  readonly scope_requirements?: { readonly all_of: readonly unknown[] } | null | undefined;
  /** Hints such as `destructiveHint`. */
  readonly tags?: readonly string[] | undefined;
}

/** The two digests of a tool in a lockfile. */
export type ToolDigests = Pick<LockedTool, "hash" | "textHash">;

/**
 * Maximum nesting of objects and arrays. An object property takes two levels. Real schemas are far below it, and the
 * stack overflows far above.
 */
const DEEPEST = 1_000;

/**
 * Returns the digests of a tool: `sha256-` and the SHA-256 in base64, as in package locks. The order of keys doesn't
 * matter, nor does that of `required`. For `hash`, the order of `type`, `enum` and alternatives doesn't matter, nor do
 * descriptions, titles and examples, which change nothing for callers.
 *
 * @throws {Error} with the tool's name if its schemas are nested too deeply.
 */
export async function digestsOf(tool: LockableTool): Promise<ToolDigests> {
  const { slug, name, description, input_parameters, output_parameters, tags = [] } = tool;
  if (isDeeperThan(DEEPEST, [input_parameters, output_parameters])) {
    throw new Error(
      `The schemas of ${slug} are nested more than ${DEEPEST} levels deep, too deep to lock or compare. Omit its toolkit.`,
    );
  }
  const [input, output] = [input_parameters, output_parameters].map(withSortedRequired);
  const read = { slug, name, description, tags: [...tags].sort(), input_parameters: input, output_parameters: output };
  const schemas = { input_parameters, output_parameters };
  const called = objectText({ ...schemas, ...accessOf(tool) }, (part, value) =>
    part in schemas ? canonicalSchema(value) : canonicalJson(value),
  );
  return { hash: await integrityOf(called), textHash: await integrityOf(canonicalJson(read)) };
}

/** The access that a tool needs: scopes, and no account. The order of scopes and alternatives doesn't matter. */
export function accessOf({ no_auth, scopes = [], scope_requirements }: LockableTool): Json {
  return {
    ...(no_auth && { no_auth }),
    ...(scopes.length > 0 && { scopes: [...scopes].sort() }),
    ...(scope_requirements && { scope_requirements: withSortedLists(scope_requirements) }),
  };
}

function withSortedLists(value: unknown): unknown {
  if (Array.isArray(value)) {
    const texts = value.map((item) => [canonicalJson(withSortedLists(item)), withSortedLists(item)] as const);
    return texts.sort(([left], [right]) => (left < right ? -1 : 1)).map(([, item]) => item);
  }
  return mapMembers(value, withSortedLists);
}

/** Needs no recursion, which could overflow the stack first. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let members = [value];
  for (let level = 0; members.length > 0; level++) {
    if (level > levels) return true;
    members = members.flatMap((member) => (typeof member === "object" && member !== null ? Object.values(member) : []));
  }
  return false;
}

/** Longer values are cut, with their length. */
const LONGEST = 500;

/**
 * The words and the schema that a model reads, by place: `description`, `input.properties.to.type`, and the access of a
 * tool. All are JSON.
 */
export type ReadableText = Readonly<Record<string, unknown>>;

/** The name, the description, the tags, the access and every value in the schema of the arguments. */
export function readableText(tool: LockableTool): ReadableText {
  const { name, description, tags = [], input_parameters } = tool;
  return { name, description, tags: [...tags].sort(), ...accessOf(tool), ...placesIn(input_parameters, "input") };
}

/** Every value in a schema that has no members, by its place. The order of `required` means nothing. */
export function placesIn(schema: unknown, place: string): Record<string, unknown> {
  const places: [string, unknown][] = [];
  const read = (value: unknown, path: string) => {
    const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
    const isList = Array.isArray(value) && value.every((item) => typeof item !== "object");
    if (members.length === 0 || isList) places.push([path, value]);
    else for (const [key, member] of members) read(member, `${path}.${key}`);
  };
  read(withSortedRequired(schema), place);
  // Names of the schema, such as `__proto__`, are part of longer ones.
  return Object.fromEntries(places);
}

/** The difference as lines: `- description: "…"` before, `+ description: "…"` now. Hidden characters are escaped. */
export function textDiff(before: ReadableText, after: ReadableText): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((place) => {
    const [old, fresh] = [before, after].map((text) => shown(text, place));
    if (old === fresh) return [];
    return [...(old === undefined ? [] : [`- ${old}`]), ...(fresh === undefined ? [] : [`+ ${fresh}`])];
  });
}

function shown(text: ReadableText, place: string): string | undefined {
  const value = Object.hasOwn(text, place) ? JSON.stringify(text[place]) : undefined;
  return value && escapeHidden(`${place}: ${value}`);
}

/** Lines for a message: of many, the first ones; of long ones, the start. */
export function shortened(lines: readonly string[], most: number): string[] {
  const rest = lines.length - most;
  return [
    ...lines
      .slice(0, most)
      .map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST)}… (${line.length} characters)` : line)),
    ...(rest > 0 ? [`and ${rest} more lines`] : []),
  ];
}
