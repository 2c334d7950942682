// The text of docs/control-plane.md: every endpoint under /_emulator, from the table that serves them. A test compares it
// with the page.

/** An endpoint's row in the table. */
interface Row {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly body?: unknown;
}

/** The page, for the endpoints in their order. */
export function controlPlanePage(endpoints: readonly Row[]): string {
  const rows = endpoints.map(({ method, path, summary, body }) => {
    return `| ${method} | \`${path}\` | ${body === undefined ? "" : "JSON"} | ${summary} |`;
  });
  return `# The control plane

Endpoints of an emulator on a port, below \`http://127.0.0.1:4747/_emulator\`. They need no credentials, and respond only to callers on the
same machine. \`GET /_emulator/openapi.json\` has the schemas of bodies and responses. [The emulator](guide/emulator.md) shows how to use
them.

| | Path | Body | |
|---|---|---|---|
${rows.join("\n")}
`;
}
