import { CREDENTIAL_KINDS, CREDENTIALS } from "../../shared/credentials.js";
import { DAY_MS } from "../../shared/timers.js";
import type { ToolFiles } from "../catalog/definitions.js";
import { BROWSER_HEADERS, contentPolicy } from "../engine/browser-headers.js";
import type { Engine, ExtraRoute, ProjectEngine, RouteContext } from "../engine/engine.js";
import { SIGNED_URL_SECONDS, type SignedUrl, type StoredFile } from "../engine/project-records.js";
import { MAX_BYTES, readBytes } from "../engine/read-body.js";
import { withBody } from "../engine/recording.js";
import type { State } from "../engine/state.js";

/** Path prefix of signed URLs. The service has no such paths. */
const STORAGE_PREFIX = "/_storage";

/** Query parameter that authorizes a signed URL. */
const SIGNATURE_PARAMETER = "signature";

/** The storage behind signed URLs. It isn't part of the service: no keys, no rate limit, and plain-text errors. */
export const storageRoute: ExtraRoute = {
  methods: ["GET", "PUT"],
  path: `${STORAGE_PREFIX}/{name}`,
  handle: async (route) => {
    const { request, url, state, clock } = route;
    const signedUrl = state.signedUrls.get(url.searchParams.get(SIGNATURE_PARAMETER) ?? "");
    if (CREDENTIAL_KINDS.some((kind) => request.headers.has(CREDENTIALS[kind].header))) {
      // Real storage would ignore the key. Reject it, so tests find the leak.
      return storageError(400, "Don't send an API key to a signed URL");
    }
    if (signedUrl === undefined || signedUrl.method !== request.method)
      return storageError(403, "SignatureDoesNotMatch");
    if (signedUrl.expiresAt <= clock.now()) return storageError(403, "AccessDenied: Request has expired");
    return request.method === "PUT" ? storeUpload(signedUrl, route) : sendDownload(signedUrl, route);
  },
};

async function storeUpload({ place, mimetype }: SignedUrl, { request, state, clock }: RouteContext): Promise<Response> {
  const type = request.headers.get("content-type") ?? undefined;
  if (mimetype !== undefined && type !== mimetype) {
    return storageError(403, `SignatureDoesNotMatch: the URL was signed for Content-Type ${mimetype}`);
  }
  const bytes = await readBytes(request, MAX_BYTES.file);
  const base64 = toBase64(bytes);
  if (place.kind === "file") {
    const file = state.files.get(place.key);
    if (file) state.files.set(place.key, { ...file, base64, storedAt: clock.now() });
  } else {
    const { sessionId, mountId, path } = place;
    if (!state.sessions.has(sessionId)) return storageError(404, "NoSuchBucket");
    const lastModified = clock.iso();
    state.mountFiles.set(mountKey(sessionId, mountId, path), {
      ...{ sessionId, mountId, path, base64, lastModified },
      mimetype: type ?? "application/octet-stream",
      size: bytes.length,
    });
  }
  return new Response(null, { status: 200 });
}

function sendDownload({ place }: SignedUrl, { state, clock }: RouteContext): Response {
  const found =
    place.kind === "file"
      ? storedFile(place.key, state, clock)
      : state.mountFiles.get(mountKey(place.sessionId, place.mountId, place.path));
  if (found?.base64 === undefined) return storageError(404, "NoSuchKey");
  // Otherwise, uploaded HTML would run as a page of the emulator.
  const headers = { ...BROWSER_HEADERS, "content-security-policy": `sandbox; ${contentPolicy()}` };
  const bytes = fromBase64(found.base64);
  return withBody(new Response(bytes, { headers: { ...headers, "content-type": found.mimetype } }), bytes);
}

function storageError(status: number, message: string): Response {
  return withBody(new Response(message, { status, headers: { "content-type": "text/plain" } }), message);
}

/** How long file contents are kept. */
const KEPT_MS = DAY_MS;

/** A file with content; `undefined` before its upload, and a day after. */
export function storedFile(key: string, { files }: State, clock: Engine["clock"]): StoredFile | undefined {
  const file = files.get(key);
  return file?.storedAt !== undefined && clock.now() - file.storedAt < KEPT_MS ? file : undefined;
}

/** The key of a mount's file. */
export function mountKey(sessionId: string, mountId: string, path: string): string {
  return `${sessionId}/${mountId}/${path}`;
}

/** File access for one run of a tool. */
export function filesForTool(
  { toolkit, tool }: Pick<StoredFile, "toolkit" | "tool">,
  engine: ProjectEngine,
): ToolFiles {
  const { project, state, clock, ids } = engine;
  return {
    read: (key) => {
      const file = storedFile(key, state, clock);
      if (file?.base64 === undefined || file.projectId !== project.id) return undefined;
      return { name: file.filename, mimetype: file.mimetype, bytes: fromBase64(file.base64) };
    },
    store: ({ name, mimetype, bytes }) => {
      const key = `${project.id}/${toolkit}/${tool}/response/${ids.next("")}/${name}`;
      const stored = { base64: toBase64(bytes), storedAt: clock.now() };
      state.files.set(key, { key, projectId: project.id, toolkit, tool, filename: name, mimetype, ...stored });
      const { url } = signUrl({ place: { kind: "file", key }, method: "GET" }, engine);
      return { s3url: url, mimetype, name };
    },
  };
}

/** Characters per call of `String.fromCharCode`, because engines limit the number of arguments. */
const CHUNK = 8_192;

/** Encodes bytes as base64, for snapshots. */
function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) {
    // A spread is a dozen times slower.
    chunks.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(start, start + CHUNK)));
  }
  return btoa(chunks.join(""));
}

/** Decodes base64. */
function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** How long an expired URL is remembered, to report that it expired. */
const REMEMBERED_MS = DAY_MS;

/** Creates a signed URL that allows one kind of request until it expires. */
export function signUrl(
  allowed: Omit<SignedUrl, "expiresAt">,
  { project, origin, state, clock, ids }: ProjectEngine,
): { readonly url: string; readonly expiresAt: string } {
  const seconds = project.config.signed_url_file_expiry_in_seconds ?? SIGNED_URL_SECONDS;
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
