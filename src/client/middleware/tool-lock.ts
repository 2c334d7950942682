import { ConfigError, ToolLockError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { child, isObject } from "../../shared/json.js";
import { lockFormatProblem } from "../../shared/lock-format.js";
import { nearestName } from "../../shared/nearest-name.js";
import { DATED_VERSION, READ_ONLY } from "../../shared/tools.js";
import type { AnyEndpoint, AnyInput } from "../endpoint.js";
import type { Middleware } from "../middleware.js";
import { slugsIn, toolsOf, type Versions } from "../tool-versions.js";

/** A tool in a lockfile. */
export interface LockedTool {
  /** Slug of the toolkit. */
  readonly toolkit: string;
  /** `<YYYYMMDD>_<NN>`. */
  readonly version: string;
  /** Digest of the schemas and access in this version. `toolset({ lock })` compares it. */
  readonly hash: string;
  /** Digest of the descriptions for the model in this version. `toolset({ lock })` compares it. */
  readonly textHash: string;
  /**
   * The descriptions for the model, by place, and the access, as they were locked. For reviews of the lockfile, and to
   * show changes. Only the digests are compared.
   */
  readonly text?: Readonly<Record<string, unknown>>;
}

/** The tool versions a program was written for: the content of `svc.lock.json`, which `svc-sdk lock` writes. */
export interface ToolLock {
  /** The format of the file: 1. */
  readonly formatVersion: number;
  /** Entries by slug. */
  readonly toolkits: Readonly<Record<string, { readonly version: string }>>;
  /** Entries by slug. */
  readonly tools: Readonly<Record<string, LockedTool>>;
}

/** Options of {@link toolLock}. */
export interface ToolLockOptions {
  /**
   * Rejects a call before it's sent, if the lockfile doesn't contain its tool, or has another version of it. Applies to
   * calls that have a tool version: agent sessions choose versions themselves.
   * @default false
   */
  rejectUnlocked?: boolean | undefined;
  /**
   * Whether executions of tools that only read, according to their hints in the lockfile, are retried like other reads.
   * Applies to tools in their locked versions: agent sessions choose versions themselves. The hints come from the
   * service: trust them only if a wrong hint does no harm, because the tool could run twice.
   * @default false
   */
  trustHints?: boolean | undefined;
}

const TOOL_LOCK_OPTIONS = {
  rejectUnlocked: { ...option.BOOLEAN, default: false },
  trustHints: { ...option.BOOLEAN, default: false },
} as const satisfies option.Rules<ToolLockOptions>;

/**
 * Requests tools and toolkits in their locked versions.
 *
 * ```ts
 * const svc = new Svc({ use: [toolLock(lock, { rejectUnlocked: true })] });
 * ```
 *
 * A version in the call overrides the lockfile. Unless `rejectUnlocked` is set, the client's `toolVersions` and
 * `toolkitVersions` can add tools. If they contradict the lockfile, calls reject with a `ConfigError`.
 *
 * @param lock - The parsed content of `svc.lock.json`, which `svc-sdk lock` writes.
 * @throws {ConfigError} if it isn't a valid lockfile.
 */
export function toolLock(lock: ToolLock, options: ToolLockOptions = {}): Middleware {
  const read = option.read(options, TOOL_LOCK_OPTIONS);
  const problems = [...lockProblems(lock, "lock"), ...read.problems];
  if (problems.length > 0) throw new ConfigError(`toolLock: ${problems.join(" ")}`);
  const { rejectUnlocked, trustHints } = read.options;
  const locked = { toolVersions: versionsIn(lock.tools), toolkitVersions: versionsIn(lock.toolkits) };
  /** Per client: its own versions together with the locked ones. */
  const joined = new WeakMap<Versions, Versions>();
  return (call, next) => {
    const { endpoint, input } = call;
    // A slug that isn't a string is rejected when the URL is built, with a matching message.
    if (endpoint.version === undefined || typeof (input.params?.["tool_slug"] ?? "") !== "string") return next();
    const versions = joined.get(call.versions) ?? join(call.versions, locked, rejectUnlocked);
    joined.set(call.versions, versions);
    if (rejectUnlocked) {
      checkNames(endpoint.name, toolsOf(input), lock.tools);
      checkNames(endpoint.name, slugsIn(child(input.query, "toolkit_slug")), lock.toolkits);
    }
    call.versions = versions;
    if (trustHints && endpoint.takesEffect && onlyReads(call.sent, lock)) call.retry = "safe";
    if (rejectUnlocked) checkVersions(endpoint, call.sent, toolsOf(input), lock);
    return next();
  };
}

/** Whether the tool of a call only reads, according to its hints in the lock. Another version of it may act. */
function onlyReads(sent: AnyInput, { tools }: ToolLock): boolean {
  const [slug = ""] = toolsOf(sent);
  const tool = child(tools, slug);
  const tags = child(child(tool, "text"), "tags");
  return child(sent.body, "version") === child(tool, "version") && Array.isArray(tags) && tags.includes(READ_ONLY);
}

function versionsIn(locked: Readonly<Record<string, { readonly version: string }>>): Map<string, string> {
  return new Map(Object.entries(locked).map(([slug, { version }]) => [slug, version]));
}

/** Because they must agree, precedence doesn't matter. A version missing from a required lock could never be used. */
function join(own: Versions, locked: Versions, required: boolean): Versions {
  const problems = (["toolVersions", "toolkitVersions"] as const).flatMap((name) =>
    [...own[name]].flatMap(([slug, version]) => {
      const expected = locked[name].get(slug) ?? (required ? "nothing" : version);
      if (expected === version) return [];
      return [`${name}.${slug} contradicts the lock, which has ${expected}. Remove it, or update the lock.`];
    }),
  );
  if (problems.length > 0) throw new ConfigError(`toolLock: ${problems.join(" ")}`);
  return {
    toolVersions: new Map([...own.toolVersions, ...locked.toolVersions]),
    toolkitVersions: new Map([...own.toolkitVersions, ...locked.toolkitVersions]),
  };
}

/** The problems with a lock, in sentences that start with `name`. Empty for a valid lock. */
export function lockProblems(lock: unknown, name: string): string[] {
  if (!isObject(lock)) return [`${name} must be the parsed content of svc.lock.json.`];
  const format = lockFormatProblem(lock["formatVersion"]);
  if (format !== undefined) return [`${name}: ${format}`];
  const { toolkits, tools } = lock;
  if (!isObject(toolkits)) return [`${name}.toolkits must be an object.`];
  if (!isObject(tools)) return [`${name}.tools must be an object.`];
  const isKnown = (slug: unknown) => typeof slug === "string" && Object.hasOwn(toolkits, slug);
  return [
    ...Object.entries(toolkits).flatMap(([slug, toolkit]) => versionProblems(toolkit, `${name}.toolkits.${slug}`)),
    ...Object.entries(tools).flatMap(([slug, tool]) => {
      const problems = versionProblems(tool, `${name}.tools.${slug}`);
      if (!isObject(tool)) return problems;
      if (!isKnown(tool["toolkit"])) problems.push(`${name}.tools.${slug}.toolkit must be one of its toolkits.`);
      for (const digest of ["hash", "textHash"]) {
        if (typeof tool[digest] !== "string") problems.push(`${name}.tools.${slug}.${digest} must be a string.`);
      }
      return problems;
    }),
  ];
}

function versionProblems(entry: unknown, place: string): string[] {
  if (!isObject(entry)) return [`${place} must be an object.`];
  const { version } = entry;
  if (typeof version === "string" && DATED_VERSION.test(version)) return [];
  return [`${place}.version must look like "20251023_00".`];
}

/**
 * Accepts only names that a lock contains.
 *
 * @param locked - Its tools or its toolkits.
 * @throws {ToolLockError} for the first name that it doesn't contain.
 */
function checkNames(operation: string, slugs: readonly string[], locked: object): void {
  const unlocked = slugs.find((slug) => !Object.hasOwn(locked, slug));
  if (unlocked === undefined) return;
  const meant = nearestName(unlocked, Object.keys(locked));
  throw new ToolLockError(operation, unlocked, undefined, meant);
}

/**
 * Accepts only calls with the locked version of every tool and toolkit in the call, and nothing that isn't locked.
 *
 * @param input - As it will be sent: if a call omits a version, the service picks one.
 * @param tools - The locked tools of the call. A list has every locked toolkit, too.
 * @throws {ToolLockError} for the first tool or toolkit without its locked version.
 */
function checkVersions(
  { name, version: carrier }: AnyEndpoint,
  { query, body }: AnyInput,
  tools: readonly string[],
  lock: ToolLock,
): void {
  const perToolkit = child(query, "toolkit_versions");
  const own = [child(body, "version"), child(query, "version")];
  const check = (slug: string, locked: { readonly version: string } | undefined, versions: readonly unknown[]) => {
    const sent = versions.filter((version) => version !== undefined);
    if (sent.length > 0 && sent.every((version) => version === locked?.version)) return;
    throw new ToolLockError(name, slug, locked?.version);
  };
  if (isObject(perToolkit)) checkNames(name, Object.keys(perToolkit), lock.toolkits);
  for (const slug of tools) {
    const locked = lock.tools[slug];
    check(slug, locked, [...own, versionFor(locked?.toolkit ?? "", perToolkit)]);
  }
  if (carrier !== "toolkits_query") return;
  for (const [slug, locked] of Object.entries(lock.toolkits)) check(slug, locked, [versionFor(slug, perToolkit)]);
}

/** `toolkit_versions` is one version for all toolkits, or one for each by slug. */
function versionFor(toolkit: string, versions: unknown): unknown {
  return typeof versions === "string" ? versions : child(versions, toolkit);
}
