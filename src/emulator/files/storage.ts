import { CREDENTIAL_KINDS, CREDENTIALS } from "../../core/credentials.js";
import type { Door, Visit } from "../door.js";
import { contentPolicy, PAGE_HEADERS } from "../page-headers.js";
import { MAX_BYTES, readBytes } from "../read-body.js";
import { SIGNATURE, STORAGE_PREFIX } from "./addresses.js";
import { fromBase64, toBase64 } from "./bytes.js";
import { mountKey, readFile } from "./shelf.js";
import type { StoredAddress } from "./stored.js";

/** The storage behind signed addresses. It is no part of the service: no keys, no rate window, plain texts for errors. */
export const storage: Door = {
  methods: ["GET", "PUT"],
  path: `${STORAGE_PREFIX}/{name}`,
  open: async (visit) => {
    const { request, state, clock } = visit;
    const address = state.signedAddresses.get(new URL(request.url).searchParams.get(SIGNATURE) ?? "");
    if (CREDENTIAL_KINDS.some((kind) => request.headers.has(CREDENTIALS[kind].header))) {
      // A storage would ignore it; here the leak should be found.
      return refused(400, "A signed address takes no key: do not send one to the storage");
    }
    if (address === undefined || address.method !== request.method) return refused(403, "SignatureDoesNotMatch");
    if (address.expiresAt <= clock.now()) return refused(403, "AccessDenied: Request has expired");
    return request.method === "PUT" ? receive(address, visit) : give(address, visit);
  },
};

async function receive({ place, mimetype }: StoredAddress, { request, state, clock }: Visit): Promise<Response> {
  const type = request.headers.get("content-type") ?? undefined;
  if (mimetype !== undefined && type !== mimetype) {
    return refused(403, `SignatureDoesNotMatch: the address was signed for Content-Type ${mimetype}`);
  }
  const bytes = await readBytes(request, MAX_BYTES.file);
  const base64 = toBase64(bytes);
  if (place.kind === "file") {
    const file = state.files.get(place.key);
    if (file) Object.assign(file, { base64, storedAt: clock.now() });
  } else {
    const { sessionId, mountId, path } = place;
    if (!state.sessions.has(sessionId)) return refused(404, "NoSuchBucket");
    const lastModified = clock.iso();
    state.mountFiles.set(mountKey(sessionId, mountId, path), {
      ...{ sessionId, mountId, path, base64, lastModified },
      mimetype: type ?? "application/octet-stream",
      size: bytes.length,
    });
  }
  return new Response(null, { status: 200 });
}

function give({ place }: StoredAddress, { state, clock }: Visit): Response {
  const found =
    place.kind === "file"
      ? readFile(place.key, state, clock)
      : state.mountFiles.get(mountKey(place.sessionId, place.mountId, place.path));
  if (found?.base64 === undefined) return refused(404, "NoSuchKey");
  // Uploaded HTML would otherwise be a page of the emulator's own.
  const headers = { ...PAGE_HEADERS, "content-security-policy": `sandbox; ${contentPolicy()}` };
  return new Response(fromBase64(found.base64), { headers: { ...headers, "content-type": found.mimetype } });
}

function refused(status: number, message: string): Response {
  return new Response(message, { status, headers: { "content-type": "text/plain" } });
}
