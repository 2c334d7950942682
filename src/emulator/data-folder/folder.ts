import { closeSync, ftruncateSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../errors/local.js";
import { createEngine, type Engine } from "../engine/engine.js";
import { checkParts, type Snapshot, type State } from "../host/state.js";
import { applyChanges, asSnapshot, type Change, changesSince, type KeptState, keep } from "./changes.js";
import { lineOf, readFolder, writeAll, writeSnapshot } from "./file.js";

/**
 * The changes may take as much space as the snapshot, and at least this many bytes, before the file is written again.
 */
const LEAST_CHANGES = 4_000_000;

/** A folder that contains an emulator's state. */
export interface DataFolder {
  /**
   * Writes what changed since the last save. What it wrote survives a crash of the process.
   *
   * @throws {ConfigError} if it can't be written. The next save tries again.
   */
  save(): void;
  /** Saves, and lets other processes use the folder. */
  close(): void;
}

/**
 * Restores the state that a folder contains, and keeps it there from now on. An empty or missing folder gets the
 * current state.
 *
 * @throws {ConfigError} if another process uses the folder, or its content can't be read. Nothing is changed then.
 */
export function openDataFolder(folder: string, { state, restore }: Pick<Engine, "state" | "restore">): DataFolder {
  const unlock = inFolder(folder, () => reserve(folder));
  try {
    const snapshot = inFolder(folder, () => readFolder(folder));
    if (snapshot) inFolder(folder, () => restore(snapshot));
    return new OpenFolder(folder, state, unlock);
  } catch (error) {
    unlock();
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
  checkParts(createEngine({}).state, snapshot);
  const unlock = inFolder(folder, () => reserve(folder));
  try {
    inFolder(folder, () => closeSync(writeSnapshot(folder, snapshot).file));
  } finally {
    unlock();
  }
}

/** Folders that this process has reserved. */
const reserved = new Set<string>();

/**
 * Creates a folder, and reserves it for this process with a file that names it. Removes files of processes that have
 * ended.
 *
 * @returns a function that releases the folder.
 * @throws {Error} if another process has reserved it.
 */
function reserve(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const real = realpathSync(folder);
  if (reserved.has(real)) throw new Error("this process uses it already");
  const own = join(real, `${process.pid}.lock`);
  // An earlier process may have had the same id, as in a container.
  rmSync(own, { force: true });
  writeFileSync(own, "", { flag: "wx", mode: 0o600 });
  reserved.add(real);
  const unlock = () => {
    reserved.delete(real);
    rmSync(own, { force: true });
  };
  // Write first and look afterwards: of two processes that start at the same time, at least one sees the other.
  for (const file of readdirSync(folder)) {
    const [, id] = /^(\d+)\.lock$/.exec(file) ?? [];
    if (id === undefined || Number(id) === process.pid) continue;
    if (isRunning(Number(id))) {
      unlock();
      throw new Error(`process ${id} uses it. Stop it, or delete ${file} if it isn't an emulator`);
    }
    rmSync(join(folder, file), { force: true });
  }
  return unlock;
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // A process of another user can't be signaled.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

class OpenFolder implements DataFolder {
  readonly #folder: string;
  readonly #state: State;
  readonly #unlock: () => void;
  #kept: KeptState;
  #file: number;
  /** The size above which the file is written again. */
  #most = 0;
  /** Size of everything that is written completely. */
  #size = 0;
  #isClosed = false;

  constructor(folder: string, state: State, unlock: () => void) {
    this.#folder = folder;
    this.#state = state;
    this.#unlock = unlock;
    this.#kept = keep(state);
    this.#file = inFolder(folder, () => this.#rewrite());
  }

  save(): void {
    if (this.#isClosed) return;
    const changes = changesSince(this.#kept, this.#state);
    if (changes.length > 0) inFolder(this.#folder, () => this.#write(changes));
  }

  close(): void {
    if (this.#isClosed) return;
    try {
      this.save();
    } finally {
      this.#isClosed = true;
      closeSync(this.#file);
      this.#unlock();
    }
  }

  #write(changes: readonly Change[]): void {
    const line = lineOf(changes);
    try {
      writeAll(this.#file, line, this.#size);
    } catch (error) {
      // The file may now end in the middle of a line.
      ftruncateSync(this.#file, this.#size);
      throw error;
    }
    this.#size += line.length;
    applyChanges(this.#kept, changes);
    if (this.#size <= this.#most) return;
    const full = this.#file;
    try {
      this.#file = this.#rewrite();
    } catch {
      // The changes are saved. A later save tries to write the file again.
      this.#most = this.#size + LEAST_CHANGES;
      return;
    }
    closeSync(full);
  }

  #rewrite(): number {
    const { file, size } = writeSnapshot(this.#folder, asSnapshot(this.#kept));
    this.#size = size;
    this.#most = size + Math.max(size, LEAST_CHANGES);
    return file;
  }
}

function inFolder<Result>(folder: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    throw new ConfigError(`The emulator can't use the data folder ${folder}: ${reason}.`);
  }
}
