import type { Core } from "../../core/client.js";
import { CREDENTIALS } from "../../core/endpoint.js";
import { MissingCredentialError } from "../../errors/local.js";
import type { ToolRouterSessionRecord } from "./schema.js";

/**
 * Where and how an MCP client reaches a session.
 *
 * ```ts
 * const { url, headers } = session.mcp;
 * const client = new Client({ name: "my-agent", version: "1.0.0" });
 * await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
 * ```
 *
 * `headers` holds your project key. It is no part of what `console.log`, `JSON.stringify` or a spread see of this object:
 * take it by name.
 */
export class SessionMcp {
  /** The transport. */
  readonly type: ToolRouterSessionRecord["mcp"]["type"];
  /** Absolute address. */
  readonly url: string;
  readonly #core: Core;

  /** @internal */
  constructor(core: Core, { type, url }: ToolRouterSessionRecord["mcp"]) {
    this.#core = core;
    this.type = type;
    this.url = url;
  }

  /**
   * The credential header, made from the client's own project key: the service sends none. See assumption R5.
   *
   * @throws {MissingCredentialError} when the client holds no project key.
   */
  get headers(): Readonly<Record<string, string>> {
    const { header, variable } = CREDENTIALS.apiKey;
    const key = this.#core.credential("apiKey");
    if (key === undefined) {
      throw new MissingCredentialError(
        `session.mcp.headers needs the project key. Set new Svc({ apiKey }) or ${variable} (sent as ${header}).`,
      );
    }
    return { [header]: key };
  }
}
