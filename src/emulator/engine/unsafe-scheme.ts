/** Schemes that make a browser run or show inline content or read its disk, instead of opening a site or an app. */
const UNSAFE_SCHEMES: readonly string[] = [
  ...["javascript:", "vbscript:", "data:", "file:"],
  ...["blob:", "filesystem:", "about:", "view-source:"],
];

/** The unsafe scheme of a URL, such as `javascript:`; `undefined` if its scheme is safe, or if it has none. */
export function unsafeScheme(url: string): string | undefined {
  // The parser sees through case, spaces, and line breaks, as browsers do.
  const scheme = URL.canParse(url) ? new URL(url).protocol : "";
  return UNSAFE_SCHEMES.includes(scheme) ? scheme : undefined;
}
