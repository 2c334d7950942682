import { closeSync, ftruncateSync } from "node:fs";
import { ConfigError } from "../../errors/local.js";
import type { Assembly } from "../assembly/emulator.js";
import { checkShowable } from "../connected-accounts/rules.js";
import { type Snapshot, type State, snapshotOf } from "../engine/state.js";
import { applyChanges, type Change, changesSince, keep } from "./changes.js";
import { lineOf, readFolder, writeAll, writeSnapshot } from "./file.js";
import { type Lock, RENEWED_MS, reserve } from "./lock.js";

/**
 * The changes may take as much space as the snapshot, and at least this many bytes, before the file is written again.
 */
const LEAST_CHANGES = 4_000_000;

/**
 * Restores the state that a folder contains, and keeps it there from now on. An empty or missing folder gets the
 * current state.
 *
 * @throws {ConfigError} if another process uses the folder, or its content can't be read. Nothing is changed then.
 */
export function openDataFolder(folder: string, { state, restore }: Pick<Assembly, "state" | "restore">) {
  const lock = inFolder(folder, () => reserve(folder));
  try {
    const snapshot = inFolder(folder, () => readFolder(folder));
    if (snapshot) inFolder(folder, () => restore(snapshot));
    return keepSaved(folder, state, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Reads the state in a folder without using the folder.
 *
 * @throws {ConfigError} if it contains no state, or the state can't be read.
 */
export function readDataFolder(folder: string): Snapshot {
  const snapshot = inFolder(folder, () => readFolder(folder));
  if (snapshot) return snapshot;
  throw new ConfigError(`The data folder ${folder} contains no state.`);
}

/**
 * Writes a snapshot into a folder that no emulator uses, replacing the state in it. An emulator started with the folder
 * must have the snapshot's toolkits.
 *
 * @throws {ConfigError} for something that isn't a snapshot, a folder that an emulator uses, or one that can't be
 * written. The folder's state is unchanged then.
 */
export function writeDataFolder(folder: string, snapshot: Snapshot): void {
  checkShowable(snapshot);
  const lock = inFolder(folder, () => reserve(folder));
  try {
    inFolder(folder, () => closeSync(writeSnapshot(folder, snapshot).file));
  } finally {
    lock.release();
  }
}

/** Keeps a state in a folder. Changes made from code are saved from time to time. */
function keepSaved(folder: string, state: State, lock: Lock) {
  const kept = keep(state);
  /** Size of everything that is written completely. */
  let size = 0;
  /** The size above which the file is written again. */
  let most = 0;
  let isClosed = false;

  const rewrite = () => {
    const written = writeSnapshot(folder, snapshotOf(kept));
    size = written.size;
    most = size + Math.max(size, LEAST_CHANGES);
    return written.file;
  };
  let file = inFolder(folder, rewrite);

  const write = (changes: readonly Change[]) => {
    lock.check();
    const line = lineOf(changes);
    try {
      writeAll(file, line, size);
    } catch (error) {
      // The file may now end in the middle of a line.
      ftruncateSync(file, size);
      throw error;
    }
    size += line.length;
    applyChanges(kept, changes);
    if (size <= most) return;
    const full = file;
    try {
      file = rewrite();
    } catch {
      // The changes are saved. A later save tries to write the file again.
      most = size + LEAST_CHANGES;
      return;
    }
    closeSync(full);
  };

  /**
   * Writes what changed since the last save. What it wrote survives a crash of the process.
   *
   * @throws {ConfigError} if it can't be written. The next save tries again.
   */
  const save = () => {
    if (isClosed) return;
    const changes = changesSince(kept, state);
    if (changes.length > 0) inFolder(folder, () => write(changes));
  };

  const autosave = setInterval(() => {
    // Saves changes made from code. If it fails, the next request tries again, and its response has the reason.
    try {
      lock.renew();
      save();
    } catch {}
  }, RENEWED_MS).unref();

  /** Saves, and lets other processes use the folder. */
  const close = () => {
    if (isClosed) return;
    try {
      save();
    } finally {
      isClosed = true;
      clearInterval(autosave);
      closeSync(file);
      lock.release();
    }
  };

  return { save, close };
}

function inFolder<Result>(folder: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    throw new ConfigError(`The emulator can't use the data folder ${folder}: ${reason}.`);
  }
}
