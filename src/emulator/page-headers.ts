/** Headers of everything that a browser can open: it isn't sniffed, kept, or named to the next site. */
export const PAGE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/**
 * A Content-Security-Policy under which a page loads and runs nothing, and is in no frame.
 *
 * @param formAction sources that its forms may post to.
 */
export function contentPolicy(formAction = "'none'"): string {
  return `default-src 'none'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`;
}
