import { integrityOf } from "../../shared/digest.js";

/** Headers of everything a browser can open: no sniffing, no caching, no referrer. */
export const BROWSER_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/**
 * A Content-Security-Policy that lets a page load and run nothing, and keeps it out of frames.
 *
 * @param formAction sources its forms may post to.
 */
export function contentPolicy(formAction = "'none'"): string {
  return `default-src 'none'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`;
}

/** A source of a Content-Security-Policy that allows exactly this inlined text. */
export async function hashSource(text: string): Promise<string> {
  return `'${await integrityOf(text)}'`;
}
