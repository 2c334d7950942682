import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { type AuditHead, type AuditProblem, verifyAudit } from "../agents/policy-entry.js";
import { counted } from "../errors/mismatch-words.js";
import { messageOf } from "../shared/message-of.js";
import { declareCommand, JSON_OUTPUT, text, UsageError, VERBOSE_ERRORS } from "./command.js";
import { EXIT } from "./exit-codes.js";
import { print, printJson } from "./print.js";
import type { Terminal } from "./terminal.js";

const KEYS = "SVC_AUDIT_KEYS";

export const command = declareCommand({
  usage: [["verify <file> …", "verify the files of a log, the oldest first"]],
  options: {
    head: text("number:hash", "an end of the log that you stored elsewhere: the log must contain it"),
    after: text("number:hash", "the end of the previous part, if you don't pass the first files"),
    json: JSON_OUTPUT,
    verbose: VERBOSE_ERRORS,
  },
  environment: [[KEYS, "the secrets of the keys that signed the log, separated by spaces"]],
  notes: `Finds a line that was changed, removed, repeated or moved, and a cut end with --head. For a valid log,
it prints the end: keep it where the writers of the log can't change it, and pass it as --head the next time.`,
  exitCodes: { 0: "the log is valid", 3: "the log has a problem" },
  takesArguments: true,
  run: async ({ head, after, json }, [verb, ...files], terminal) => {
    if (verb !== "verify" || files.length === 0) throw new UsageError("Pass verify and the files of the log.");
    const secrets = (terminal.env[KEYS] ?? "").split(/\s+/).filter(Boolean);
    if (secrets.length === 0) throw new UsageError(`${KEYS} is missing: the secrets of the keys that signed the log.`);
    const keys = secrets.map((secret, index) => ({ id: `${KEYS}[${index}]`, secret }));
    const reader = new LogReader(terminal, files);
    const verified = await verifyAudit(reader.lines(), {
      keys,
      head: headOf("head", head),
      after: headOf("after", after),
    });
    if (json) printJson(terminal, verified.ok ? verified : { ...verified, place: reader.placeOf(verified.line) });
    else if (verified.ok) {
      const { number, hash } = verified.head;
      const lines = `${counted(verified.lines, "line")}. `;
      // An empty log has no end to compare with.
      if (number === 0) print(terminal, `${lines}The log is empty.`);
      else
        print(terminal, [[lines, { text: "The log is whole.", color: "good" }], `Its end: --head ${number}:${hash}`]);
    } else
      print(terminal, [[`${reader.placeOf(verified.line)}: `, { text: PROBLEMS[verified.problem], color: "bad" }]]);
    return verified.ok ? EXIT.done : EXIT.found;
  },
});

const PROBLEMS: Readonly<Record<AuditProblem, string>> = {
  changed: `the line was changed, or none of the keys in ${KEYS} signed it.`,
  missing: "lines before this line are missing.",
  repeated: "the number of this line has come before.",
  other_log: "the line belongs to another log.",
  cut: "the log ends here, before its known end.",
};

function headOf(option: string, value: string | undefined): AuditHead | undefined {
  if (value === undefined) return undefined;
  const [, number, hash = ""] = /^(\d+):([0-9a-f]{64})$/.exec(value) ?? [];
  if (number === undefined) throw new UsageError(`--${option} must be number:hash, as audit verify prints it.`);
  return { number: Number(number), hash };
}

/** Splits text at newlines. Node's own reader of lines also ends a line at U+2028, which is a character in JSON. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const part of text) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.map((line) => line.replace(/\r$/, ""));
  }
  if (rest !== "") yield rest;
}

/** Reads the lines of several files as one log. */
class LogReader {
  readonly #terminal: Terminal;
  readonly #files: readonly string[];
  /** The files so far, each with the number of lines before it. */
  readonly #starts: { readonly file: string; readonly before: number }[] = [];

  constructor(terminal: Terminal, files: readonly string[]) {
    this.#terminal = terminal;
    this.#files = files;
  }

  async *lines(): AsyncGenerator<string> {
    let count = 0;
    for (const file of this.#files) {
      this.#starts.push({ file, before: count });
      const opened = await open(resolve(this.#terminal.cwd, file)).catch((error: unknown) => {
        throw new Error(`Can't read the log ${file}: ${messageOf(error)}`, { cause: error });
      });
      // Closes the file at its end.
      for await (const line of linesOf(opened.createReadStream({ encoding: "utf8" }))) {
        count += 1;
        yield line;
      }
    }
  }

  /** The file and the line in the file, of a line of the log. */
  placeOf(line: number): string {
    const { file, before } = this.#starts.findLast((start) => start.before < line) ?? { file: "", before: 0 };
    return `${file}:${line - before}`;
  }
}
