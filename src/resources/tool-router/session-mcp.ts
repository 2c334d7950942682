import { type Core, coreOf, holdCore } from "../../client/client.js";
import { MissingCredentialError } from "../../errors/local.js";
import { CREDENTIALS } from "../../shared/credentials.js";
import type { ToolRouterSessionRecord } from "./schema.js";

/**
 * URL and headers for an MCP client of a session, such as `@modelcontextprotocol/client` or
 * `@modelcontextprotocol/sdk`.
 *
 * ```ts
 * const { url, headers } = session.mcp;
 * const client = new Client({ name: "my-agent", version: "1.0.0" });
 * await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
 * ```
 *
 * `headers` contains your project key. `console.log`, `JSON.stringify` and spreading this object don't include
 * `headers`: read it by name.
 */
export class SessionMcp {
  /** The endpoint's transport. */
  readonly type: ToolRouterSessionRecord["mcp"]["type"];
  /** Absolute URL. */
  readonly url: string;

  /** @internal */
  constructor(core: Core, { type, url }: ToolRouterSessionRecord["mcp"]) {
    holdCore(this, core);
    this.type = type;
    this.url = url;
  }

  // See assumption R5.
  /**
   * The header with the client's project key.
   *
   * @throws {MissingCredentialError} if the client has no project key.
   */
  get headers(): Readonly<Record<string, string>> {
    const { header, variable } = CREDENTIALS.apiKey;
    const key = coreOf(this).credential("apiKey");
    if (key === undefined) {
      throw new MissingCredentialError(
        `session.mcp.headers needs the project key. Set new Svc({ apiKey }) or ${variable} (sent as ${header}).`,
      );
    }
    return { [header]: key };
  }
}
