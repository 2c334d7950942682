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
 * The end of a validation error for each URL with a refused scheme, at any depth; the value's own place goes before it. A URL
 * is a string in a field whose name says so. See assumption E99.
 */
export function urlComplaints(value: unknown, isNamedUrl = false): string[] {
  if (typeof value === "string") {
    const scheme = isNamedUrl ? refusedScheme(value) : undefined;
    return scheme === undefined ? [] : [`: expected the URL of a site or an app, received ${scheme}`];
  }
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((part, index) => urlComplaints(part, isNamedUrl).map((found) => `[${index}]${found}`));
  }
  return Object.entries(value).flatMap(([key, part]) =>
    urlComplaints(part, NAMES_URL.test(key)).map((found) => `.${key}${found}`),
  );
}

/** `callback_url`, `redirectUri`, `redirect_uris`, `link_url_overwrite`. */
const NAMES_URL = /ur[il]s?$|(^|_)ur[il]s?_/i;
