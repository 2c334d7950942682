import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseJson } from "../../shared/json.js";
import { checkFormat, FORMAT, type Snapshot, type State } from "../engine/state.js";
import { Table } from "../engine/table.js";

/** Contains everything: a snapshot. */
const FILE = "state.json";

/** Replaces a folder's state. The earlier one is complete until the new one is, even if the machine stops. */
export function writeState(folder: string, text: string): void {
  const draft = join(folder, `${FILE}.new`);
  // Never through a link, or with the permissions of a file that someone else put there.
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { flag: "wx", mode: 0o600, flush: true });
    renameSync(draft, join(folder, FILE));
  } catch (error) {
    // On a full disk, its space is needed.
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * The state in a folder; `undefined` if there is no file.
 *
 * @throws {Error} if it isn't a state.
 */
export function readState(folder: string): Snapshot | undefined {
  const text = readIfPresent(join(folder, FILE));
  if (text === undefined) return undefined;
  const snapshot = parseJson(text);
  if (!isObject(snapshot)) throw new Error(`${FILE} doesn't contain a snapshot`);
  checkFormat(snapshot);
  return snapshot;
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes states as snapshots. */
export class StateText {
  /** Records never change in place, so each is written once. */
  readonly #texts = new WeakMap<object, string>();

  of(state: State): string {
    const parts = Object.entries(state).map(([name, part]) => {
      // Tools change their data in place.
      const isKept = part instanceof Table && part !== state.toolkitData;
      const text = isKept ? this.#table(part) : JSON.stringify(part instanceof Table ? [...part] : part);
      return `${JSON.stringify(name)}:${text}`;
    });
    return `{"format":${FORMAT},${parts.join(",")}}`;
  }

  #table(table: Table<object>): string {
    const entries = [...table].map(([id, record]) => {
      const text = this.#texts.get(record) ?? JSON.stringify(record);
      this.#texts.set(record, text);
      return `[${JSON.stringify(id)},${text}]`;
    });
    return `[${entries.join(",")}]`;
  }
}
