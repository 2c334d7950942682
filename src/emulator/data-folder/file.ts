import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { isObject } from "../../shared/json.js";
import { checkFormat, type Snapshot } from "../host/state.js";
import { applyChanges, asSnapshot, fromSnapshot } from "./changes.js";

/** Everything is in this file: a snapshot in the first line, then one line for each set of changes. */
const FILE = "state.jsonl";

const NEWLINE = 10;

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

/** The state in a folder; `undefined` if there is no file. */
export function readFolder(folder: string): Snapshot | undefined {
  const bytes = readIfPresent(join(folder, FILE));
  if (!bytes) return undefined;
  const [first, ...rest] = linesOf(bytes);
  const snapshot = first && contentOf(first);
  if (!isObject(snapshot)) throw new Error(`${FILE} doesn't start with a snapshot`);
  checkFormat(snapshot);
  const kept = fromSnapshot(snapshot);
  const contents = rest.map(contentOf);
  // A crash in the middle of a write leaves an incomplete line at the end. No one was told that it's saved.
  const last = contents.findLastIndex((content) => content !== undefined);
  contents.slice(0, last + 1).forEach((changes, index) => {
    if (!Array.isArray(changes)) throw new Error(`line ${index + 2} of ${FILE} is damaged`);
    applyChanges(kept, changes);
  });
  return asSnapshot(kept);
}

function readIfPresent(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from);
    lines.push(bytes.subarray(from, end === -1 ? bytes.length : end));
    from = end === -1 ? bytes.length : end + 1;
  }
  return lines;
}

/** The content of a line; `undefined` if the line is incomplete or damaged. */
function contentOf(line: Buffer): unknown {
  const json = line.subarray(9);
  return line.subarray(0, 8).toString() === checksum(json) ? JSON.parse(json.toString()) : undefined;
}
