import type { AuditSink } from "../agents/audit-trail.js";
import { ConfigError } from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import { nodeModule } from "../shared/node-module.js";
import { sleep } from "../shared/timers.js";

/** The parts of `node:fs/promises` that the sink uses. */
interface FilesOfNode {
  open(path: string, flags: string): Promise<HandleOfNode>;
  rm(path: string, options: { readonly force: boolean }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
  readFile(path: string): Promise<Buffer>;
  stat(path: string): Promise<{ readonly mtimeMs: number }>;
}
interface HandleOfNode {
  stat(): Promise<{ readonly size: number }>;
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<unknown>;
  truncate(size: number): Promise<void>;
  appendFile(text: string): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Options of {@link fileAudit}. */
export interface FileAuditOptions {
  /**
   * The size in bytes at which the file is renamed and a new file starts: `calls.jsonl` becomes `calls.000001.jsonl`.
   * The new file continues the log. You can move renamed files away, except the latest: an empty file continues from
   * its last line.
   * @default 100_000_000
   */
  readonly maxBytes?: number | undefined;
}

const FILE_AUDIT_OPTIONS = {
  maxBytes: { ...option.COUNT, default: 100_000_000 },
} as const satisfies option.Rules<FileAuditOptions>;

const NEWLINE = 10;
/** How long another process may hold the lock: appending takes milliseconds. */
const LOCK_MS = 10_000;
/** On average. Random, so that two processes that saw each other's lock don't try again at the same time. */
const WAIT_MS = 10;
/** How much of the end is read first. */
const LAST_BYTES = 65_536;

/**
 * Creates a sink for `audit()` that appends to a file and waits until the disk has the lines. Processes of one machine
 * can share the file. A line that a crash cut off is removed before the next line is written. The call of such a line
 * didn't run.
 *
 * Needs `node:fs`: Node from 22.3 on, Deno or Bun.
 *
 * @param path of the file, on a local disk. It's created if it's missing, in a folder that exists.
 * @throws {ConfigError} if an option isn't usable, or the runtime has no `node:fs`.
 */
export function fileAudit(path: string, options: FileAuditOptions = {}): AuditSink {
  option.check("fileAudit", "path", path, option.NAME);
  const { maxBytes } = option.checkAll("fileAudit", options, FILE_AUDIT_OPTIONS);
  const files = nodeModule<FilesOfNode>("node:fs/promises");
  if (!files) throw new ConfigError("fileAudit: this runtime has no node:fs. Use Node from 22.3 on, Deno or Bun.");
  const log = new LogFile(files, path, maxBytes);
  return {
    last: () => log.locked((file) => log.lastLine(file)),
    append: (lines, last) => log.locked((file) => log.append(file, lines, last)),
  };
}

/** The file of a log, and those that it was renamed to. */
class LogFile {
  readonly #files: FilesOfNode;
  readonly #path: string;
  readonly #maxBytes: number;

  constructor(files: FilesOfNode, path: string, maxBytes: number) {
    this.#files = files;
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  /** Opens the file while no other process uses it. */
  async locked<Result>(use: (file: HandleOfNode) => Promise<Result>): Promise<Result> {
    // Each lock has its own name, so no process can remove the lock of its successor.
    const lock = this.#lockOf(crypto.randomUUID());
    try {
      while (!(await this.#isTaken(lock))) await sleep(2 * WAIT_MS * Math.random());
      const file = await this.#files.open(this.#path, "a+");
      let isFull = false;
      try {
        const result = await use(file);
        isFull = (await file.stat()).size >= this.#maxBytes;
        return result;
      } finally {
        await file.close();
        // Closed before, because Windows renames no open file.
        if (isFull) await this.#setAside();
      }
    } finally {
      await this.#files.rm(lock, { force: true });
    }
  }

  /** Takes the lock, unless another process has it. */
  async #isTaken(lock: string): Promise<boolean> {
    if ((await this.#locks()).length > 0) return false;
    await (await this.#files.open(lock, "wx")).close();
    // Create first and look afterwards: of two processes that start at the same time, at least one sees the other.
    const [first, ...others] = await this.#locks();
    if (first === lock && others.length === 0) return true;
    await this.#files.rm(lock, { force: true });
    return false;
  }

  /** The locks of running processes. Removes those of processes that died. */
  async #locks(): Promise<string[]> {
    const [, start, extension] = partsOf(this.#path);
    const running: string[] = [];
    for (const owner of await this.#between(`${start}${extension}.`, /^[\da-f-]{36}$/, ".lock")) {
      const lock = this.#lockOf(owner);
      const found = await this.#files.stat(lock).catch(() => undefined);
      // A lock from the future is left from before the clock was set back.
      if (found && Math.abs(Date.now() - found.mtimeMs) <= LOCK_MS) running.push(lock);
      else await this.#files.rm(lock, { force: true });
    }
    return running;
  }

  #lockOf(owner: string): string {
    return `${this.#path}.${owner}.lock`;
  }

  /** The last whole line, of this file or of the file before it. Removes a line that a crash cut off. */
  async lastLine(file: HandleOfNode): Promise<string | undefined> {
    const text = await endOf(file);
    const end = text.lastIndexOf(NEWLINE) + 1;
    if (end < text.length) await file.truncate((await file.stat()).size - (text.length - end));
    if (end > 0) return lineBefore(text, end);
    const latest = await this.#latest();
    if (latest === 0) return undefined;
    const before = await this.#files.readFile(this.#nameOf(latest));
    return lineBefore(before, before.length);
  }

  async append(file: HandleOfNode, lines: readonly string[], last: string | undefined): Promise<boolean> {
    if ((await this.lastLine(file)) !== last) return false;
    const isNew = (await file.stat()).size === 0;
    await file.appendFile(lines.map((line) => `${line}\n`).join(""));
    await file.sync();
    if (isNew) await this.#syncFolder();
    return true;
  }

  /** Waits until the disk has the name of a new file, too. Windows needs no such step, and opens no folder. */
  async #syncFolder(): Promise<void> {
    const [folder] = partsOf(this.#path);
    const opened = await this.#files.open(folder === "" ? "." : folder, "r").catch(() => undefined);
    try {
      await opened?.sync();
    } finally {
      await opened?.close();
    }
  }

  /** The number of the latest file that this one was renamed to; 0 without one. */
  async #latest(): Promise<number> {
    const [, start, extension] = partsOf(this.#path);
    const numbers = await this.#between(`${start}.`, /^\d{6,}$/, extension);
    return numbers.map(Number).reduce((latest, number) => Math.max(latest, number), 0);
  }

  #nameOf(number: number): string {
    const [folder, start, extension] = partsOf(this.#path);
    return `${folder}${start}.${String(number).padStart(6, "0")}${extension}`;
  }

  /** Renames the full file. */
  async #setAside(): Promise<void> {
    const name = this.#nameOf((await this.#latest()) + 1);
    // Fails if the file exists. Renaming alone would overwrite it.
    await (await this.#files.open(name, "wx")).close();
    try {
      await this.#files.rename(this.#path, name);
    } catch (error) {
      await this.#files.rm(name, { force: true });
      throw error;
    }
  }

  /** The parts between `start` and `end` in the names of the folder's files. */
  async #between(start: string, part: RegExp, end: string): Promise<string[]> {
    const [folder] = partsOf(this.#path);
    const names = await this.#files.readdir(folder === "" ? "." : folder);
    return names
      .filter((name) => name.startsWith(start) && name.endsWith(end))
      .map((name) => name.slice(start.length, name.length - end.length))
      .filter((found) => part.test(found));
  }
}

/** The folder with its separator, the name, and the extension with its dot. */
function partsOf(path: string): readonly [folder: string, start: string, extension: string] {
  const [, folder = "", start = "", extension = ""] = /^(.*[\\/])?(.+?)(\.[^.]*)?$/s.exec(path) ?? [];
  return [folder, start, extension];
}

/** The end of a file, from a whole line on. */
async function endOf(file: HandleOfNode): Promise<Buffer> {
  const { size } = await file.stat();
  for (let length = Math.min(size, LAST_BYTES); ; length = Math.min(size, 2 * length)) {
    const buffer = Buffer.alloc(length);
    await file.read(buffer, 0, length, size - length);
    // Two ends of lines: the last whole line is between them.
    if (length === size || buffer.lastIndexOf(NEWLINE, buffer.lastIndexOf(NEWLINE) - 1) !== -1) return buffer;
  }
}

/** The line that ends with the newline in front of `end`. */
function lineBefore(text: Buffer, end: number): string {
  const start = end < 2 ? 0 : text.lastIndexOf(NEWLINE, end - 2) + 1;
  return text.toString("utf8", start, end - 1);
}
