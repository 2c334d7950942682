import type { ToolFiles } from "../catalog/definitions.js";
import type { World } from "../host/context.js";
import { SIGNATURE_PARAMETER } from "../host/mask-and-record.js";
import type { SignedUrl, StoredFile, StoredProject } from "../host/project-records.js";
import type { State } from "../host/state.js";

/** How long file contents are kept. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

/** A file with content; `undefined` before its upload, and a day after. */
export function storedFile(key: string, { files }: State, clock: World["clock"]): StoredFile | undefined {
  const file = files.get(key);
  return file?.storedAt !== undefined && clock.now() - file.storedAt < KEPT_MS ? file : undefined;
}

/** The key of a mount's file. */
export function mountKey(sessionId: string, mountId: string, path: string): string {
  return `${sessionId}/${mountId}/${path}`;
}

/** File access for one run of a tool. */
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

/** Characters per call of `String.fromCharCode`, because engines limit the number of arguments. */
const CHUNK = 8_192;

/** Encodes bytes as base64, for snapshots. */
export function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) {
    // A spread is a dozen times slower.
    chunks.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(start, start + CHUNK)));
  }
  return btoa(chunks.join(""));
}

/** Decodes base64. */
export function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Path prefix of signed URLs. The service has no such paths. */
export const STORAGE_PREFIX = "/_storage";

/** Default lifetime of a signed URL in seconds. */
const DEFAULT_EXPIRY_SECONDS = 3_600;

/** How long an expired URL is remembered, to report that it expired. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

/** Creates a signed URL that allows one kind of request until it expires. */
export function signUrl(
  allowed: Omit<SignedUrl, "expiresAt">,
  project: StoredProject,
  origin: string,
  { state, clock, ids }: Pick<World, "state" | "clock" | "ids">,
): { readonly url: string; readonly expiresAt: string } {
  const seconds = project.config.signed_url_file_expiry_in_seconds ?? DEFAULT_EXPIRY_SECONDS;
  const expiresAt = clock.now() + seconds * 1_000;
  for (const [old, { expiresAt: end }] of state.signedUrls) {
    if (end + REMEMBERED_MS < clock.now()) state.signedUrls.delete(old);
  }
  const signature = ids.next("") + ids.next("");
  state.signedUrls.set(signature, { ...allowed, expiresAt });
  // The name is for readers; the signature alone identifies the file.
  const name = (allowed.place.kind === "file" ? allowed.place.key : allowed.place.path).replace(/[^\w.-]/g, "_");
  return {
    url: `${origin}${STORAGE_PREFIX}/${name}?${SIGNATURE_PARAMETER}=${signature}`,
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
