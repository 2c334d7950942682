/** Schemes that run or show their own content in a browser, or read its disk, instead of leading to a site or an app. */
const REFUSED: readonly string[] = [
  ...["javascript:", "vbscript:", "data:", "file:"],
  ...["blob:", "filesystem:", "about:", "view-source:"],
];

/** Bodies of these are for external applications, which know their own URLs. */
const FOR_APPLICATIONS = /^(tools|triggers|webhookEndpoints)\.|^toolRouter\.(execute|executeMeta|proxyExecute)$/;

/** Whether an operation's own fields can hold URLs. */
export function takesUrls(operation: string): boolean {
  return !FOR_APPLICATIONS.test(operation);
}

/** The refused scheme of a URL, such as `javascript:`; `undefined` if it has another, or none. */
export function refusedScheme(url: string): string | undefined {
  // The parser sees through case, spaces, and line breaks, as browsers do.
  const scheme = URL.canParse(url) ? new URL(url).protocol : "";
  return REFUSED.includes(scheme) ? scheme : undefined;
}

/**
 * A validation error for each URL with a refused scheme, at any depth: a URL is a string in a field whose name says so. See
 * assumption E99.
 *
 * @param path the value's own place in the request, such as `body`.
 */
export function urlComplaints(path: string, value: unknown): string[] {
  if (typeof value === "string") {
    const scheme = /ur[il]s?(\[\d+\])?$/i.test(path) ? refusedScheme(value) : undefined;
    return scheme === undefined ? [] : [`${path}: expected the URL of a site or an app, received ${scheme}`];
  }
  if (typeof value !== "object" || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, part]) =>
    urlComplaints(isList ? `${path}[${key}]` : `${path}.${key}`, part),
  );
}
