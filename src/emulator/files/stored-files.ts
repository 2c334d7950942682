import type { ToolFiles } from "../catalog/definitions.js";
import type { World } from "../host/context.js";
import type { SignedUrl, StoredFile, StoredProject } from "../host/project-records.js";
import { SIGNATURE_PARAMETER } from "../host/request-log.js";
import type { State } from "../host/state.js";

/** How long the bytes of files are kept. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

/** A file whose bytes are there; `undefined` before they arrived and a day after. */
export function storedFile(key: string, { files }: State, clock: World["clock"]): StoredFile | undefined {
  const file = files.get(key);
  return file?.storedAt !== undefined && clock.now() - file.storedAt < KEPT_MS ? file : undefined;
}

/** The key of a mount's file. */
export function mountKey(sessionId: string, mountId: string, path: string): string {
  return `${sessionId}/${mountId}/${path}`;
}

/** Files as one run of a tool sees them. */
export function filesForTool(
  run: { readonly toolkit: string; readonly tool: string },
  project: StoredProject,
  origin: string,
  world: World,
): ToolFiles {
  const { state, clock, ids } = world;
  return {
    read: (key) => {
      const file = storedFile(key, state, clock);
      if (file?.base64 === undefined || file.projectId !== project.id) return undefined;
      return { name: file.filename, mimetype: file.mimetype, bytes: fromBase64(file.base64) };
    },
    give: ({ name, mimetype, bytes }) => {
      const key = `${project.id}/${run.toolkit}/${run.tool}/response/${ids.next("")}/${name}`;
      const { toolkit, tool } = run;
      const stored = { base64: toBase64(bytes), storedAt: clock.now() };
      state.files.set(key, { key, projectId: project.id, toolkit, tool, filename: name, mimetype, ...stored });
      const { url } = signUrl({ place: { kind: "file", key }, method: "GET" }, project, origin, world);
      return { s3url: url, mimetype, name };
    },
  };
}

/** How many characters a call of `String.fromCharCode` gets at once: engines bound the number of arguments. */
const CHUNK = 8_192;

/** Bytes as base64, so that a snapshot can hold them. */
export function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) {
    // Spreading the bytes is a dozen times slower.
    chunks.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(start, start + CHUNK)));
  }
  return btoa(chunks.join(""));
}

/** The bytes of a base64 text. */
export function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Where signed addresses lie. No path of the service begins like this. */
export const STORAGE_PREFIX = "/_storage";

/** How long a signed address is good where the project does not say, in seconds. */
const DEFAULT_EXPIRY_SECONDS = 3_600;

/** How long an address that ended still says that it did. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

/** Signs an address: whoever has it may do the one thing it allows, until it ends. */
export function signUrl(
  allowed: Omit<SignedUrl, "expiresAt">,
  project: StoredProject,
  origin: string,
  { state, clock, ids }: Pick<World, "state" | "clock" | "ids">,
): { readonly url: string; readonly expiresAt: string } {
  const seconds = project.config.signed_url_file_expiry_in_seconds ?? DEFAULT_EXPIRY_SECONDS;
  const expiresAt = clock.now() + seconds * 1_000;
  for (const [old, { expiresAt: end }] of state.signedAddresses) {
    if (end + REMEMBERED_MS < clock.now()) state.signedAddresses.delete(old);
  }
  const signature = ids.next("") + ids.next("");
  state.signedAddresses.set(signature, { ...allowed, expiresAt });
  // For people who read it: the signature alone says what it is for.
  const name = (allowed.place.kind === "file" ? allowed.place.key : allowed.place.path).replace(/[^\w.-]/g, "_");
  return {
    url: `${origin}${STORAGE_PREFIX}/${name}?${SIGNATURE_PARAMETER}=${signature}`,
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
