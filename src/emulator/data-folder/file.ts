import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { isObject } from "../../shared/json.js";
import { checkFormat, type Snapshot, snapshotOf } from "../engine/state.js";
import { applyChanges, fromSnapshot } from "./changes.js";

/** Everything is in this file: a snapshot in the first line, then one line for each set of changes. */
const FILE = "state.jsonl";

const NEWLINE = 10;

/** The start of a line with changes. JSON has no control characters. */
const START = /^[\da-f]{1,8}$|^[\da-f]{8} (\[[ -\xff]*)?$/;

/** Writes a file with a snapshot and no changes. The earlier one is complete until the new one replaces it. */
export function writeSnapshot(folder: string, snapshot: Snapshot): { readonly file: number; readonly size: number } {
  const draft = join(folder, `${FILE}.new`);
  // Never through a link, or with the permissions of a file that someone else put there.
  rmSync(draft, { force: true });
  const file = openSync(draft, "wx", 0o600);
  try {
    const line = lineOf(snapshot);
    writeAll(file, line, 0);
    fsyncSync(file);
    renameSync(draft, join(folder, FILE));
    return { file, size: line.length };
  } catch (error) {
    closeSync(file);
    // On a full disk, its space is needed for changes.
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Writes all bytes at a position of a file. */
export function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written, bytes.length - written, position + written);
  }
}

/** A line with its checksum. */
export function lineOf(content: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(content));
  return Buffer.concat([Buffer.from(`${checksum(json)} `), json, Buffer.from("\n")]);
}

function checksum(json: Uint8Array): string {
  return crc32(json).toString(16).padStart(8, "0");
}

/**
 * The state in a folder; `undefined` if there is no file.
 *
 * @throws {Error} if it's damaged in a way that no crash causes.
 */
export function readFolder(folder: string): Snapshot | undefined {
  const bytes = readIfPresent(join(folder, FILE));
  if (!bytes) return undefined;
  const [first, ...rest] = linesOf(bytes);
  const snapshot = first && contentOf(first);
  if (!isObject(snapshot)) throw new Error(`${FILE} doesn't start with a snapshot`);
  checkFormat(snapshot);
  const kept = fromSnapshot(snapshot);
  let whole = first?.length ?? 0;
  for (const [index, line] of rest.entries()) {
    const changes = contentOf(line);
    // A crash in the middle of a write leaves the start of one line at the end. No one was told that it's saved.
    if (changes === undefined && START.test(line.toString("latin1"))) break;
    if (!Array.isArray(changes)) throw new Error(damage(index + 2, whole, bytes.length));
    applyChanges(kept, changes);
    whole += line.length;
  }
  return snapshotOf(kept);
}

function damage(line: number, whole: number, size: number): string {
  return (
    `line ${line} of ${FILE} is damaged, which no crash does. The first ${whole} of its ${size} bytes are whole: ` +
    "to continue with that state, copy the file for the rest, and cut it to that size"
  );
}

function readIfPresent(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** The lines with their ends. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from);
    const next = end === -1 ? bytes.length : end + 1;
    lines.push(bytes.subarray(from, next));
    from = next;
  }
  return lines;
}

/** The content of a line; `undefined` if the line is incomplete or damaged. */
function contentOf(line: Buffer): unknown {
  const json = line.subarray(9, line.at(-1) === NEWLINE ? -1 : undefined);
  return line.subarray(0, 8).toString() === checksum(json) ? JSON.parse(json.toString()) : undefined;
}
