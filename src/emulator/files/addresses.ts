import type { World } from "../context.js";
import type { StoredProject } from "../projects/stored.js";
import type { StoredAddress } from "./stored.js";

/** Where signed addresses lie. No path of the service begins like this. */
export const STORAGE_PREFIX = "/_storage";

/** The query parameter that is the right to use a signed URL. */
export const SIGNATURE = "signature";

/** How long a signed address is good where the project does not say, in seconds. */
const DEFAULT_EXPIRY_SECONDS = 3_600;
/** How long an address that ended still says that it did. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

/** Signs an address: whoever has it may do the one thing it allows, until it ends. */
export function signAddress(
  allowed: Omit<StoredAddress, "expiresAt">,
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
    url: `${origin}${STORAGE_PREFIX}/${name}?${SIGNATURE}=${signature}`,
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
