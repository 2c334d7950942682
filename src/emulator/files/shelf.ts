import type { World } from "../context.js";
import type { ToolFiles } from "../definitions.js";
import type { StoredProject } from "../projects/stored.js";
import type { State } from "../state.js";
import { signAddress } from "./addresses.js";
import { fromBase64, toBase64 } from "./bytes.js";
import type { StoredFile } from "./stored.js";

/** How long the bytes of files are kept. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

/** A file whose bytes are there; `undefined` before they arrived and a day after. */
export function readFile(key: string, { files }: State, clock: World["clock"]): StoredFile | undefined {
  const file = files.get(key);
  return file?.storedAt !== undefined && clock.now() - file.storedAt < KEPT_MS ? file : undefined;
}

/** The key of a mount's file. */
export function mountKey(sessionId: string, mountId: string, path: string): string {
  return `${sessionId}/${mountId}/${path}`;
}

/** Files as one run of a tool sees them. */
export function filesFor(
  run: { readonly toolkit: string; readonly tool: string },
  project: StoredProject,
  origin: string,
  world: World,
): ToolFiles {
  const { state, clock, ids } = world;
  return {
    read: (key) => {
      const file = readFile(key, state, clock);
      if (file?.base64 === undefined || file.projectId !== project.id) return undefined;
      return { name: file.filename, mimetype: file.mimetype, bytes: fromBase64(file.base64) };
    },
    give: ({ name, mimetype, bytes }) => {
      const key = `${project.id}/${run.toolkit}/${run.tool}/response/${ids.next("")}/${name}`;
      const { toolkit, tool } = run;
      const stored = { base64: toBase64(bytes), storedAt: clock.now() };
      state.files.set(key, { key, projectId: project.id, toolkit, tool, filename: name, mimetype, ...stored });
      const { url } = signAddress({ place: { kind: "file", key }, method: "GET" }, project, origin, world);
      return { s3url: url, mimetype, name };
    },
  };
}
