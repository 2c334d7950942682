import { BROWSER_HEADERS, contentPolicy, hashSource } from "../host/responses.js";

/**
 * The inspector: one page that loads nothing from elsewhere.
 *
 * @param token allows the page to change the emulator. Pages of other origins can't read it.
 */
export async function inspectorPage(token: string): Promise<Response> {
  // Loaded when the page is first opened: most emulators run in tests, which never do.
  const { INSPECTOR } = await import("./inspector-bundle.js");
  if (!INSPECTOR) return new Response(NOT_BUILT, { status: 501 });
  const { script, style } = INSPECTOR;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="emulator-token" content="${token}">
<title>Emulator</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<noscript>The inspector needs JavaScript. The control plane works without: see /_emulator/openapi.json.</noscript>
<script>${script}</script>
</body>
</html>
`;
  const policy = [
    contentPolicy(),
    `script-src ${await hashSource(script)}`,
    `style-src ${await hashSource(style)}`,
    "connect-src 'self'",
    "img-src data:",
    "require-trusted-types-for 'script'",
  ].join("; ");
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
  return new Response(html, {
    headers: { ...BROWSER_HEADERS, ...headers, "cross-origin-resource-policy": "same-origin" },
  });
}

const NOT_BUILT = "The inspector is part of the built package: run npm run build.\n";
