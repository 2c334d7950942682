// The room of the data folder, which keeps the state in files between runs. It imports `assembly`, `connected-accounts`
// and `engine`. Start here, then `state-file.ts`.

import { ConfigError } from "../../errors/local.js";
import type { Assembly } from "../assembly/emulator.js";
import { checkShowable } from "../connected-accounts/rules.js";
import type { Snapshot, State } from "../engine/state.js";
import { type FolderLock, RENEWED_MS, reserveFolder } from "./folder-lock.js";
import { readState, StateText, writeState } from "./state-file.js";

/**
 * Restores the state that a folder contains, and keeps it there from now on. An empty or missing folder gets the
 * current state.
 *
 * @throws {ConfigError} if another process uses the folder, or its content can't be read. Nothing is changed then.
 */
export function openDataFolder(folder: string, { state, restore }: Pick<Assembly, "state" | "restore">): DataFolder {
  const lock = inFolder(folder, () => reserveFolder(folder));
  try {
    const snapshot = inFolder(folder, () => readState(folder));
    if (snapshot) inFolder(folder, () => restore(snapshot));
    return new DataFolder(folder, state, lock);
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
  const snapshot = inFolder(folder, () => readState(folder));
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
  const lock = inFolder(folder, () => reserveFolder(folder));
  try {
    inFolder(folder, () => writeState(folder, JSON.stringify(snapshot)));
  } finally {
    lock.release();
  }
}

/** A folder that keeps a state. Changes made from code are saved from time to time. */
class DataFolder {
  readonly #folder: string;
  readonly #state: State;
  readonly #lock: FolderLock;
  readonly #autosave: ReturnType<typeof setInterval>;
  readonly #text = new StateText();
  /** The state in the file. */
  #saved = "";
  #isClosed = false;

  constructor(folder: string, state: State, lock: FolderLock) {
    this.#folder = folder;
    this.#state = state;
    this.#lock = lock;
    this.save();
    this.#autosave = setInterval(() => {
      // If it fails, the next request tries again, and its response has the reason.
      try {
        lock.renew();
        this.save();
      } catch {}
    }, RENEWED_MS).unref();
  }

  /**
   * Writes the state if it has changed. It then survives a crash of the process.
   *
   * @throws {ConfigError} if it can't be written. The next save tries again.
   */
  save(): void {
    if (this.#isClosed) return;
    inFolder(this.#folder, () => {
      const text = this.#text.of(this.#state);
      if (text === this.#saved) return;
      this.#lock.check();
      writeState(this.#folder, text);
      this.#saved = text;
    });
  }

  /** Saves, and lets other processes use the folder. */
  close(): void {
    if (this.#isClosed) return;
    try {
      this.save();
    } finally {
      this.#isClosed = true;
      clearInterval(this.#autosave);
      this.#lock.release();
    }
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
