import { type CompiledTool, compileTools, type Note, type NoteKind, type Target } from "../agents/schema/index.js";
import { DIALECTS } from "../agents/schema/targets.js";
import type { Catalog } from "../catalog/catalog.js";
import { type ReadableText, readableText } from "../catalog/lock/hash.js";
import { readLocked } from "../catalog/lock/lock-file.js";
import { readCatalog } from "../catalog/read-catalog.js";
import { counted } from "../errors/mismatch-words.js";
import { escapeHidden, removeHidden } from "../shared/hidden-text.js";
import { didYouMean } from "../shared/nearest-name.js";
import {
  connect,
  declareCommand,
  FOUND,
  JSON_OUTPUT,
  SERVICE,
  text,
  UsageError,
  type ValuesOf,
  VERBOSE,
} from "./command.js";
import { LOCK, LOCK_FILE, readLockFile, readSnapshot } from "./files.js";
import { print, printJson } from "./print.js";
import { slugsIn } from "./read-value.js";

/** The kind of a note: of the compiled schema, or of the words. */
export type LintKind = NoteKind | TextNote["kind"];

const KINDS: Readonly<Record<LintKind, string>> = {
  "not-strict": "the provider can't enforce the schema",
  opened: "a part accepts anything, because it can't be written for the target",
  described: "a constraint moved into the description: the model reads it, nothing enforces it",
  reshaped: "the model writes a value in another shape, which is converted back",
  renamed: "the model uses another name, which is converted back",
  annotated: "an annotation, such as a default, moved into the description",
  long: "a description is longer than 1,024 characters: more than a person reads",
  hidden: "characters that a person doesn't see: of direction, without width, tags",
  imitates: "words like those with which a toolset tells a model what ran",
};

const TARGETS = Object.keys(DIALECTS);
const DEFAULT_FAILURES = "not-strict,opened,hidden,imitates";

const OPTIONS = {
  target: text("name", `${TARGETS.slice(0, 4).join(", ")},\n${TARGETS.slice(4).join(", ")}`),
  tools: text("slugs", "only these tools, separated by commas"),
  toolkits: text("slugs", "toolkits to read in their latest versions, separated by commas,\ninstead of the lockfile's"),
  from: text("file", "read a snapshot instead of the service"),
  lock: LOCK,
  "fail-on": { ...text("kinds", "what a tool must not have, separated by commas, or none"), default: DEFAULT_FAILURES },
  json: JSON_OUTPUT,
  verbose: VERBOSE,
} as const;

export const command = declareCommand({
  usage: [
    ["--target gemini", `the tools in ${LOCK_FILE}`],
    ["--target openai-strict --toolkits github", "the latest versions"],
    ["--target anthropic --from catalog.json", "offline, from a snapshot"],
  ],
  options: OPTIONS,
  tables: { Kinds: Object.entries(KINDS) },
  environment: SERVICE,
  notes:
    "Tools are checked together, as one request would send them: some providers limit the sum, and names must differ.",
  exitCodes: { 0: "no tool has a kind listed in --fail-on", 3: "at least one tool has a kind listed in --fail-on" },
  run: async (options) => {
    const target = readTarget(options.target);
    const failing = readKinds(options["fail-on"]);
    const reports = lint(await readTools(options), target, failing);
    const failed = reports.filter(({ fails }) => fails);
    if (options.json) printJson({ ok: failed.length === 0, target, tools: reports });
    else print(...reports.flatMap(describe), "", summary(reports.length, failed.length, target));
    if (failed.length > 0) process.exitCode = FOUND;
  },
});

/** One tool as the target accepts it. */
export interface LintedTool {
  readonly tool: string;
  /** The name that the model gets. */
  readonly name: string;
  /** Whether the provider enforces the schema. */
  readonly strict: boolean;
  /** Whether the kind of a note must not occur. */
  readonly fails: boolean;
  readonly notes: readonly (Note | TextNote)[];
}

/** The tools of a project, as far as the compiler needs them. */
export type ToolsToLint = Catalog["toolkits"][number]["tools"];

export function lint(tools: ToolsToLint, target: Target, failing: readonly LintKind[]): LintedTool[] {
  const named = tools.map(({ slug, description, input_parameters }) => ({
    name: slug,
    description,
    schema: input_parameters,
  }));
  const words = new Map(tools.map((tool) => [tool.slug, textNotes(tool)]));
  return compileTools(named, target).map((compiled) => {
    const notes = [...aliasNotes(compiled), ...compiled.notes, ...(words.get(compiled.originalName) ?? [])];
    const fails = notes.some(({ kind }) => failing.includes(kind));
    return { tool: compiled.originalName, name: compiled.name, strict: compiled.strict, fails, notes };
  });
}

function aliasNotes({ name, originalName }: CompiledTool): Note[] {
  return name === originalName ? [] : [{ path: "", kind: "renamed", message: `The model gets the tool as ${name}.` }];
}

type Options = ValuesOf<typeof OPTIONS>;

async function readTools(options: Options) {
  const catalog = await readToolkits(options);
  const tools = catalog.toolkits.flatMap((toolkit) => toolkit.tools);
  const wanted = slugsIn("--tools", options.tools);
  const slugs = tools.map(({ slug }) => slug);
  const missing = wanted?.find((slug) => !slugs.includes(slug));
  if (missing !== undefined) {
    throw new Error(`There is no tool ${missing} among them.${didYouMean(missing, slugs)}`);
  }
  return tools.filter(({ slug }) => wanted?.includes(slug) ?? true);
}

async function readToolkits({ from, toolkits: list, lock: file, verbose }: Options): Promise<Catalog> {
  const toolkits = slugsIn("--toolkits", list);
  if (from !== undefined && toolkits !== undefined) {
    throw new UsageError("--from and --toolkits can't be combined.");
  }
  if (from !== undefined) return await readSnapshot(from);
  const lock = toolkits === undefined ? await readLockFile(file) : undefined;
  const svc = connect(verbose);
  return await (lock ? readLocked(svc, lock) : readCatalog(svc, { toolkits: toolkits ?? [] }));
}

function readTarget(name: string | undefined): Target {
  const target = TARGETS.find((known) => known === name);
  // The names of the table are the targets.
  if (target !== undefined) return target as Target;
  const choices = ` Pass one of ${TARGETS.join(", ")}.`;
  if (name === undefined) throw new UsageError(`--target is missing.${choices}`);
  throw new UsageError(`Unknown target: ${name}.${didYouMean(name, TARGETS, choices)}`);
}

function readKinds(list: string): LintKind[] {
  if (list === "none") return [];
  const kinds = list.split(",").map((kind) => kind.trim());
  const unknown = kinds.find((kind) => !Object.hasOwn(KINDS, kind));
  if (unknown !== undefined) {
    throw new UsageError(`--fail-on must be none, or some of ${Object.keys(KINDS).join(", ")}; not ${unknown}.`);
  }
  // Each is a key of the table.
  return kinds as LintKind[];
}

function describe({ tool, fails, strict, notes }: LintedTool): string[] {
  const state = notes.length === 0 ? "as it is" : counted(notes.length, "note");
  return [
    `${fails ? "!" : " "} ${tool}  ${state}${strict ? ", strict" : ""}`,
    ...notes.map(({ path, kind, message }) => `      ${kind.padEnd(10)} ${path === "" ? "" : `${path}: `}${message}`),
  ];
}

function summary(tools: number, failed: number, target: Target): string {
  const count = `${counted(tools, "tool")} for ${target}`;
  return failed === 0 ? `${count}: all pass.` : `${count}: ${failed} ${failed === 1 ? "fails" : "fail"}.`;
}

/** A note on words that may mislead a model or a reviewer. */
interface TextNote {
  readonly path: string;
  readonly kind: "long" | "hidden" | "imitates";
  readonly message: string;
}

const LONGEST = 1_024;
/** As many characters as a line shows of one. */
const SHOWN = 80;

/** Parts of the messages of `src/agents/messages.ts` that a model obeys. */
const OURS =
  /nothing ran|did not run|has not run|may have run|nothing was sent|was not (allowed|approved)|needs (an|the) approval|the program (sets|had)|shortened from \d+ bytes|its result is unknown|there is no tool named/i;

/** Finds words that may mislead: over-long ones, hidden characters, imitations of the toolset's own. */
function textNotes(tool: Parameters<typeof readableText>[0]): TextNote[] {
  const text: ReadableText = readableText(tool);
  return Object.entries(text).flatMap(([path, value]) => [
    // A name may hide them as well.
    ...notesOf(path, path).filter(({ kind }) => kind === "hidden"),
    ...[value].flat().flatMap((one) => (typeof one === "string" ? notesOf(path, one) : [])),
  ]);
}

function notesOf(path: string, text: string): TextNote[] {
  const notes: TextNote[] = [];
  const note = (kind: TextNote["kind"], message: string) => notes.push({ path, kind, message });
  const escaped = escapeHidden(text);
  if (text.length > LONGEST) note("long", `${text.length} characters.`);
  const hidden = /\\u[0-9a-f]{4}/.exec(escaped)?.index ?? 0;
  if (escaped !== text) note("hidden", JSON.stringify(around(escaped, hidden)).replaceAll("\\\\u", "\\u"));
  // As a reader sees it: other forms of letters, and what is hidden between them, don't change it.
  const seen = removeHidden(text.normalize("NFKC")).replace(/\s+/g, " ");
  const like = OURS.exec(seen);
  if (like) note("imitates", JSON.stringify(around(seen, like.index)));
  return notes;
}

const around = (text: string, index: number) => text.slice(Math.max(0, index - SHOWN / 2), index + SHOWN);
