import { existsSync } from "node:fs";
import { type Catalogue, snapshotText, toCatalogue } from "../catalogue/catalogue.js";
import { readCatalogue } from "../catalogue/read-catalogue.js";
import type { ToolLock } from "../index.js";
import { findMoved, findOutdated } from "../lock/check-lock.js";
import { diffLock } from "../lock/diff-lock.js";
import { lockText, makeLock } from "../lock/make-lock.js";
import { readLatest, readLocked } from "../lock/read-locked.js";
import { describeDiff, describeFinding } from "../lock/report.js";
import { DATED_VERSION } from "../shared/dated-version.js";
import { connect } from "./connect.js";
import { readJson } from "./json-file.js";
import { LOCK_FILE, readLockFile } from "./lock-file.js";
import { parseOptions, toolkitsIn } from "./parse-options.js";
import { print, printJson } from "./print.js";
import { withProgress } from "./progress.js";
import { UsageError } from "./usage-error.js";
import { writeResult } from "./write-file.js";

const HELP = `svc lock: which versions of which tools a program was written for

Usage
  svc lock --toolkits github,slack   lock all their tools to the latest versions
  svc lock                           lock the toolkits of the lock to the latest versions
  svc lock --check                   fail when the service's schemas are no longer those that were locked
  svc lock --diff                    tell what the latest versions change, and for whom that breaks something

Options
  --toolkits <slugs>             toolkits to lock, separated by commas
  --toolkit-version <slug=v>     lock a toolkit to this version instead; may be repeated
  --from <file>                  lock what this snapshot holds, without the service;
                                 with --diff: where the locked schemas are, if the service has changed them
  --snapshot <file>              also write what was locked with all its schemas
  --lock <file>                  the lock                                       (default ${LOCK_FILE})
  --out <file>                   where to write it                              (default the lock)
  --allow-newer                  with --check: newer versions may differ, the locked ones may not
  --json                         with --check and --diff: print JSON
  --verbose                      tell every request, and more about an error, on standard error
  -h, --help                     this text

Environment
  SVC_BASE_URL   address of the service
  SVC_API_KEY    project key (or SVC_USER_API_KEY)

Commit the lock, give it to the client with new Svc({ lock }), and run svc lock --check in CI.
In the diff, an exclamation mark stands before what breaks: callers break when less is accepted, readers when more may come.

Exit codes
  0  done; with --check, nothing moved. A lock that would not change is left alone
  1  it failed; the message says why
  2  the command line is wrong
  3  with --check: schemas moved, in the locked versions or, without --allow-newer, in the latest ones
`;

/** What `--check` exits with when it finds something. */
const FOUND = 3;

/** Writes, checks or compares a lock. */
export async function lockCommand(commandLine: string[]): Promise<void> {
  const options = readOptions(commandLine);
  if (options.help) print(...HELP.trimEnd().split("\n"));
  else if (options.check) await check(options);
  else if (options.diff) await diff(options);
  else await write(options);
}

type Options = ReturnType<typeof readOptions>;

async function write(options: Options): Promise<void> {
  const { lock: file, out = file, from, snapshot } = options;
  const old = existsSync(file) ? await readLockFile(file) : undefined;
  const catalogue = from === undefined ? await readToLock(options, old) : await readSnapshot(from);
  const lock = await makeLock(catalogue);
  for (const { slug, version, tools } of catalogue.toolkits) {
    const was = old && Object.hasOwn(old.toolkits, slug) ? old.toolkits[slug]?.version : undefined;
    print(`${slug} ${version}${was === undefined || was === version ? "" : `, was ${was}`}: ${tools.length} tools`);
  }
  await writeResult(out, lockText(lock));
  if (snapshot !== undefined) await writeResult(snapshot, snapshotText(catalogue));
}

async function readToLock({ toolkits, versions, verbose }: Options, old: ToolLock | undefined): Promise<Catalogue> {
  const slugs = toolkits ?? Object.keys(old?.toolkits ?? {});
  if (slugs.length === 0) throw new UsageError("There is no lock yet: name toolkits with --toolkits github,slack.");
  const stranger = Object.keys(versions).find((slug) => !slugs.includes(slug));
  if (stranger !== undefined) throw new UsageError(`--toolkit-version names ${stranger}, which is not to be locked.`);
  const svc = connect(verbose);
  return await withProgress((onProgress) => readCatalogue(svc, { toolkits: slugs, versions, onProgress }));
}

async function check({ lock: file, json, verbose, "allow-newer": allowsNewer }: Options): Promise<void> {
  const lock = await readLockFile(file);
  const svc = connect(verbose);
  const findings = await withProgress(async (tell) => {
    const locked = await readLocked(svc, lock, tell);
    const moved = await findMoved(lock, locked);
    return allowsNewer ? moved : [...moved, ...(await findOutdated(lock, await readLatest(svc, lock, locked, tell)))];
  });
  if (json) printJson({ ok: findings.length === 0, findings });
  else if (findings.length === 0) print(`${file}: ${Object.keys(lock.tools).length} tools are what was locked.`);
  else print(...findings.map(describeFinding), "", CHECK_ADVICE);
  if (findings.length > 0) process.exitCode = FOUND;
}

const CHECK_ADVICE = "svc lock --diff tells what that breaks; svc lock takes the latest versions.";

async function diff({ lock: file, from, json, verbose }: Options): Promise<void> {
  const lock = await readLockFile(file);
  const svc = connect(verbose);
  const snapshots = from === undefined ? [] : [await readSnapshot(from)];
  const diffs = await withProgress(async (tell) => {
    const locked = await readLocked(svc, lock, tell);
    return diffLock(lock, [locked, ...snapshots], await readLatest(svc, lock, locked, tell));
  });
  if (json) printJson({ breaks: diffs.some(({ breaks }) => breaks), tools: diffs });
  else print(...describeDiff(diffs));
}

async function readSnapshot(file: string): Promise<Catalogue> {
  return toCatalogue(await readJson(file, "snapshot"), file);
}

function readOptions(commandLine: string[]) {
  const values = parseOptions("lock", OPTIONS, commandLine);
  const { check: isCheck, diff: isDiff, json, toolkits, from, snapshot, out } = values;
  const given = values["toolkit-version"];
  const refuse = (isWrong: boolean, text: string) => {
    if (isWrong) throw new UsageError(`${text} See svc lock --help.`);
  };
  refuse(isCheck && isDiff, "--check and --diff are two commands.");
  refuse(values["allow-newer"] && !isCheck, "--allow-newer goes with --check.");
  refuse(json && !isCheck && !isDiff, "--json goes with --check or --diff.");
  const writing = Object.entries({ toolkits, snapshot, out, "toolkit-version": given });
  const stray = writing.find(([, value]) => value !== undefined && (isCheck || isDiff));
  refuse(stray !== undefined, `--${stray?.[0]} goes with neither --check nor --diff: they write nothing.`);
  refuse(isCheck && from !== undefined, "--from does not go with --check, which asks the service.");
  refuse(from !== undefined && (toolkits ?? given) !== undefined, "--from locks a snapshot as it is.");
  const versions = Object.fromEntries((given ?? []).map(versionOf));
  return { ...values, versions, toolkits: toolkitsIn("lock", toolkits) };
}

const OPTIONS = {
  toolkits: { type: "string" },
  "toolkit-version": { type: "string", multiple: true },
  from: { type: "string" },
  snapshot: { type: "string" },
  lock: { type: "string", default: LOCK_FILE },
  out: { type: "string" },
  check: { type: "boolean", default: false },
  diff: { type: "boolean", default: false },
  "allow-newer": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

function versionOf(text: string): [string, string] {
  const [slug = "", version = "", ...rest] = text.split("=");
  if (slug !== "" && DATED_VERSION.test(version) && rest.length === 0) return [slug, version];
  throw new UsageError(`--toolkit-version takes a toolkit and a version, github=20251023_00, not ${text}.`);
}
