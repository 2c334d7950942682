import { BadRequestError, NotFoundError } from "../../index.js";
import { child, parseJson } from "../../shared/json.js";
import { type CheckResult, checked, codeOf, type Finding, messageOf, quoted, type Setup, skipped } from "./finding.js";
import { clientFor } from "./keys.js";

const NAME = "MCP";

/** The handshake of an MCP client. */
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "svc-sdk-doctor", version: "1.0.0" },
  },
};

/** Connects to the MCP server of an agent session, as an MCP client would. */
export async function checkMcp(url: URL, setup: Setup): Promise<CheckResult> {
  const id = setup.session;
  if (id === undefined) return skipped(NAME, "pass the id of an agent session with --session");
  try {
    const session = await clientFor(url, setup).toolRouter.get(id);
    const finding = await handshakeFinding(session.mcp, setup);
    return checked(NAME, session.mcp.url, finding ? [finding] : []);
  } catch (error) {
    const isMissing = error instanceof NotFoundError || error instanceof BadRequestError;
    const finding: Finding = {
      id: isMissing ? "session_missing" : "session_unreadable",
      problem: isMissing ? `No agent session has the id ${id}.` : `The session can't be read: ${messageOf(error)}`,
      why: "Its MCP server can't be used.",
      fix: "npx svc-sdk call toolRouter.create --user_id <user>",
    };
    return checked(NAME, id, [finding]);
  }
}

interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function handshakeFinding({ url, headers }: Endpoint, { timeoutMs }: Setup): Promise<Finding | undefined> {
  const why = "No MCP client can use the session's tools.";
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify(INITIALIZE),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    await endSession(url, headers, response.headers.get("mcp-session-id"), timeoutMs);
    if (response.status === 401 || response.status === 403) {
      const problem = `The MCP server ${url} rejects the key (${response.status}).`;
      return { id: "mcp_refused", problem, why, fix: "export SVC_API_KEY=<key of the session's project>" };
    }
    if (response.ok && typeof child(child(messageIn(text), "result"), "protocolVersion") === "string") return undefined;
    const problem = `${url} doesn't respond like an MCP server (${response.status}).`;
    return { id: "mcp_broken", problem, why, fix: `curl -i -X POST ${quoted(url)}` };
  } catch (error) {
    const problem = `The MCP server ${url} can't be reached (${codeOf(error) ?? messageOf(error)}).`;
    return { id: "mcp_unreachable", problem, why, fix: `curl -i -X POST ${quoted(url)}` };
  }
}

/** The JSON-RPC message in a response: plain JSON, or the first event of a stream. */
function messageIn(text: string): unknown {
  const [, data = text] = /^data: ?(.*)$/m.exec(text) ?? [];
  return parseJson(data);
}

/** Ends what the handshake began, on servers that keep MCP sessions. */
async function endSession(url: string, headers: Endpoint["headers"], id: string | null, timeoutMs: number) {
  if (id === null) return;
  const signal = AbortSignal.timeout(timeoutMs);
  // A server may not support it. Then the session ends on its own.
  await fetch(url, { method: "DELETE", headers: { ...headers, "mcp-session-id": id }, signal }).catch(() => undefined);
}
