import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Catalog, catalogText } from "../catalog/catalog.js";
import { checkLock, diffLock, isReworded, unlockedTools } from "../catalog/lock/diff-lock.js";
import { readableText, textDiff } from "../catalog/lock/hash.js";
import { lockText, lockTool, makeLock, readLatest, readLocked } from "../catalog/lock/lock-file.js";
import { describeDiff, describeFinding } from "../catalog/lock/report.js";
import { textWarnings } from "../catalog/lock/text-warnings.js";
import { readCatalog } from "../catalog/read-catalog.js";
import { counted } from "../errors/mismatch-words.js";
import type { ToolLock } from "../index.js";
import { didYouMean } from "../shared/nearest-name.js";
import { DATED_VERSION } from "../shared/tools.js";
import {
  declareCommand,
  flag,
  JSON_OUTPUT,
  READING_TOOLS,
  SERVICE,
  text,
  UsageError,
  type ValuesOf,
  VERBOSE,
} from "./command.js";
import { connect } from "./connect.js";
import { EXIT } from "./exit-codes.js";
import { LOCK, readCatalogFile, readLockFile, toolkitsToRead, writeResult } from "./files.js";
import { print, printJson, withMark, withOutcome } from "./print.js";
import { slugsIn } from "./read-value.js";
import type { Terminal } from "./terminal.js";

const OPTIONS = {
  toolkits: text("slugs", "toolkits to lock, separated by commas"),
  "toolkit-version": { ...text("slug=v", "lock a toolkit to this version; can be repeated"), multiple: true },
  from: text(
    "file",
    "lock the tools of this catalog, without the service;\nwith --diff: a catalog that has the locked schemas",
  ),
  "catalog-out": text("file", "also write everything that was locked, with its schemas"),
  lock: LOCK,
  out: text("file", "where to write it; by default, over the lockfile"),
  accept: text("slug", "show the difference of one tool, and lock it"),
  check: flag("compare the service's tools with the lockfile"),
  diff: flag("compare the latest versions with the locked ones"),
  "allow-newer": flag("with --check: newer versions may differ"),
  json: { ...JSON_OUTPUT, summary: "with --check or --diff: print JSON" },
  verbose: VERBOSE,
} as const;

export const command = declareCommand({
  usage: [
    ["--toolkits github,slack", "lock all their tools to the latest versions"],
    ["", "update the lockfile to the latest versions"],
    ["--check", "fail if the service's tools differ from the lockfile"],
    ["--diff", "show what the latest versions change and break"],
    ["--accept GITHUB_GET_REPO", "accept the service's changes of one tool in its locked version"],
  ],
  options: OPTIONS,
  progress: READING_TOOLS,
  environment: SERVICE,
  notes: `Commit the lockfile, pass it to the client with new Svc({ use: [toolLock(lock)] }), and run svc-sdk lock --check in CI.
In the diff, an exclamation mark is a breaking change: the tool accepts fewer inputs, or can return more kinds of output.
"changed, read it" marks keywords that aren't compared, which count as breaking. A warning names new text with hidden
characters, or longer than 1,024 characters.`,
  exitCodes: {
    0: "done; with --check: no locked tool differs. New tools are only listed. An unchanged lockfile isn't written",
    3: `with --check: schemas or descriptions for a model differ in the locked versions or, without --allow-newer,
in the latest versions; with --diff: a change is breaking, or a description for a model differs`,
  },
  run: async (values, _words, terminal) => {
    const options = checkedValues(values);
    if (options.check) return await check(terminal, options);
    if (options.diff) return await diff(terminal, options);
    if (options.accept !== undefined) return await accept(terminal, options, options.accept);
    return await writeLock(terminal, options);
  },
});

type LockFlags = ReturnType<typeof checkedValues>;

async function writeLock(terminal: Terminal, options: LockFlags): Promise<number> {
  const { lock: file, out = file, from, "catalog-out": catalogOut } = options;
  const old = existsSync(resolve(terminal.cwd, file)) ? await readLockFile(terminal, file) : undefined;
  const catalog =
    from === undefined
      ? await readToLock(terminal, options, old)
      : withAccess(await readCatalogFile(terminal, from), from);
  const lock = await makeLock(catalog);
  for (const { slug, version, tools } of catalog.toolkits) {
    const was = old && Object.hasOwn(old.toolkits, slug) ? old.toolkits[slug]?.version : undefined;
    print(
      terminal,
      `${slug} ${version}${was === undefined || was === version ? "" : `, was ${was}`}: ${counted(tools.length, "tool")}`,
    );
    for (const tool of tools) {
      const before = old && Object.hasOwn(old.tools, tool.slug) ? old.tools[tool.slug]?.text : undefined;
      print(
        terminal,
        textWarnings(before ?? {}, readableText(tool)).map((warning) => `  ${tool.slug}: warning: ${warning}`),
      );
    }
  }
  const replaced = Object.keys(out === file ? (old?.toolkits ?? {}) : {});
  const dropped = replaced.filter((slug) => !Object.hasOwn(lock.toolkits, slug));
  print(
    terminal,
    dropped.map((slug) => `${slug} is no longer locked. To keep it, add it to --toolkits.`),
  );
  await writeResult(terminal, out, lockText(lock));
  if (catalogOut !== undefined) await writeResult(terminal, catalogOut, catalogText(catalog));
  return EXIT.done;
}

async function readToLock(
  terminal: Terminal,
  { lock: file, toolkits, versions, verbose }: LockFlags,
  old: ToolLock | undefined,
): Promise<Catalog> {
  const slugs = toolkitsToRead(toolkits, old, file);
  const stranger = Object.keys(versions).find((slug) => !slugs.includes(slug));
  if (stranger !== undefined)
    throw new UsageError(`--toolkit-version names ${stranger}, which isn't among the toolkits to lock.`);
  return await readCatalog(connect(terminal, verbose), { toolkits: slugs, versions });
}

async function check(terminal: Terminal, options: LockFlags): Promise<number> {
  const { lock: file, json, verbose, "allow-newer": allowsNewer } = options;
  const lock = await readLockFile(terminal, file);
  const svc = connect(terminal, verbose);
  const locked = await readLocked(svc, lock);
  const latest = allowsNewer ? undefined : await readLatest(svc, lock, locked);
  const findings = await checkLock(lock, locked, latest);
  const count = Object.keys(lock.tools).length;
  const unlocked = unlockedTools(lock, [locked, ...(latest ? [latest] : [])]);
  const ignored =
    unlocked.length === 0 ? [] : [`Not in the lockfile: ${unlocked.join(", ")}. svc-sdk lock adds new tools.`];
  if (json) printJson(terminal, { ok: findings.length === 0, findings, unlocked });
  else if (findings.length > 0)
    print(terminal, [...findings.map(describeFinding).map(withOutcome), "", CHECK_ADVICE, ...ignored]);
  else print(terminal, [`${file}: ${counted(count, "tool")} ${count === 1 ? "matches" : "match"}.`, ...ignored]);
  return findings.length > 0 ? EXIT.found : EXIT.done;
}

const CHECK_ADVICE =
  "Run svc-sdk lock --diff to see what that breaks, or svc-sdk lock to update to the latest versions.";

/** Locks one tool as the service has it in the locked version, or removes it if the service has it no longer. */
async function accept(terminal: Terminal, { lock: file, verbose }: LockFlags, slug: string): Promise<number> {
  const lock = await readLockFile(terminal, file);
  const svc = connect(terminal, verbose);
  const { toolkits } = await readLocked(svc, lock);
  const toolkit = toolkits.find(({ tools }) => tools.some((tool) => tool.slug === slug));
  const tool = toolkit?.tools.find((candidate) => candidate.slug === slug);
  const old = Object.hasOwn(lock.tools, slug) ? lock.tools[slug] : undefined;
  if (!toolkit || !tool) {
    const known = [
      ...Object.keys(lock.tools),
      ...toolkits.flatMap(({ tools }) => tools.map((candidate) => candidate.slug)),
    ];
    if (!old) throw new Error(`There is no tool ${slug} in the locked versions.${didYouMean(slug, known)}`);
    print(terminal, `${slug} is removed: ${old.toolkit} ${old.version} no longer has it.`);
  } else {
    const [before, now] = [old?.text ?? {}, readableText(tool)];
    const warnings = textWarnings(before, now).map((warning) => `warning: ${warning}`);
    print(terminal, [`${slug} ${tool.version}`, ...[...textDiff(before, now), ...warnings].map((line) => `  ${line}`)]);
  }
  const { [slug]: _, ...others } = lock.tools;
  const tools = toolkit && tool ? { ...others, [slug]: await lockTool(toolkit.slug, tool) } : others;
  await writeResult(terminal, file, lockText({ ...lock, tools }));
  return EXIT.done;
}

async function diff(terminal: Terminal, { lock: file, from, json, verbose }: LockFlags): Promise<number> {
  const lock = await readLockFile(terminal, file);
  const svc = connect(terminal, verbose);
  const catalogs = from === undefined ? [] : [await readCatalogFile(terminal, from)];
  const locked = await readLocked(svc, lock);
  const diffs = await diffLock(lock, [locked, ...catalogs], await readLatest(svc, lock, locked));
  if (json) printJson(terminal, { breaks: diffs.some(({ breaks }) => breaks), tools: diffs });
  else
    print(
      terminal,
      describeDiff(diffs).map((line) => [withMark(line)]),
    );
  return diffs.some((tool) => tool.breaks || isReworded(tool)) ? EXIT.found : EXIT.done;
}

/** @throws {Error} if a tool has no `no_auth`: a lockfile of such a catalog would match no tool. */
function withAccess(catalog: Catalog, file: string): Catalog {
  const tool = catalog.toolkits.flatMap(({ tools }) => tools).find(({ no_auth }) => no_auth === undefined);
  if (!tool) return catalog;
  throw new Error(
    `${file}: ${tool.slug} has no no_auth, because an older svc-sdk wrote the catalog. Write it again with svc-sdk lock --catalog-out.`,
  );
}

/** @throws {UsageError} for options that can't be combined. */
function checkedValues(values: ValuesOf<typeof OPTIONS>) {
  const {
    check: isCheck,
    diff: isDiff,
    accept: accepted,
    json,
    toolkits,
    from,
    "catalog-out": catalogOut,
    out,
  } = values;
  const given = values["toolkit-version"];
  const rejectIf = (isWrong: boolean, text: string) => {
    if (isWrong) throw new UsageError(text);
  };
  rejectIf(isCheck && isDiff, "--check and --diff can't be combined.");
  rejectIf(accepted !== undefined && (isCheck || isDiff || from !== undefined), "--accept takes no other mode.");
  rejectIf(values["allow-newer"] && !isCheck, "--allow-newer requires --check.");
  rejectIf(json && !isCheck && !isDiff, "--json requires --check or --diff.");
  const writing = Object.entries({ toolkits, "catalog-out": catalogOut, out, "toolkit-version": given });
  const stray = writing.find(([, value]) => value !== undefined && (isCheck || isDiff || accepted));
  rejectIf(stray !== undefined, `--${stray?.[0]} can't be combined with --check, --diff or --accept.`);
  rejectIf(isCheck && from !== undefined, "--from can't be combined with --check, which asks the service.");
  rejectIf(
    from !== undefined && (toolkits ?? given) !== undefined,
    "--from locks a catalog as it is, without --toolkits or --toolkit-version.",
  );
  const versions = Object.fromEntries((given ?? []).map(versionOf));
  return { ...values, versions, toolkits: slugsIn("--toolkits", toolkits) };
}

function versionOf(text: string): [string, string] {
  const [slug = "", version = "", ...rest] = text.split("=");
  if (slug !== "" && DATED_VERSION.test(version) && rest.length === 0) return [slug, version];
  throw new UsageError(`--toolkit-version must be a toolkit and a version such as github=20251023_00, not ${text}.`);
}
