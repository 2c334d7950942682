import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as option from "../../errors/option-rules.js";
import { messageOf } from "../../shared/message-of.js";
import { ConfigError } from "../../webhooks/index.js";
import type { AnswerRequest, ModelServer, ServeOptions } from "./types.js";

const OPTIONS = {
  port: { ...option.between(0, 65_535, true), default: 0 },
  host: { ...option.NAME, default: "127.0.0.1" },
} as const satisfies option.Rules<ServeOptions>;

/** Serves a scripted model. @throws {ConfigError} if it can't listen. */
export async function serveModel(answer: AnswerRequest, given?: ServeOptions): Promise<ModelServer> {
  const { port, host } = option.checkAll("serve", given, OPTIONS);
  const server = createServer((incoming, outgoing) => void respond(answer, incoming, outgoing));
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw new ConfigError(
      `serve: the model can't listen on ${host}:${port}: ${messageOf(error)}. Choose another port, or 0 for any free one.`,
    );
  }
  // A server listening on a port always returns this type.
  const { address, family, port: bound } = server.address() as AddressInfo;
  const ip = address.replace(/^0\.0\.0\.0$/, "127.0.0.1").replace(/^::$/, "::1");
  const url = `http://${family === "IPv6" ? `[${ip}]` : ip}:${bound}`;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return { url, env: variablesOf(url), close, [Symbol.asyncDispose]: close };
}

/** Where each official client looks for its service and its key. */
function variablesOf(url: string): ModelServer["env"] {
  const key = "scripted";
  return {
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: key,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: key,
  };
}

async function respond(answer: AnswerRequest, incoming: IncomingMessage, outgoing: ServerResponse) {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = "GET", headers, url = "/" } = incoming;
    const sent = Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
    const body = method === "GET" || method === "HEAD" ? null : Buffer.concat(chunks);
    const response = await answer(`http://127.0.0.1${url}`, { method, headers: Object.fromEntries(sent), body });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    // Each piece is on its way before the next: a cut stream's client reads what came before.
    for await (const chunk of response.body ?? []) await new Promise((sent) => outgoing.write(chunk, sent));
    outgoing.end();
  } catch (error) {
    // A cut stream, a client that has left, or a turn's function that failed.
    if (outgoing.headersSent) return void outgoing.destroy();
    outgoing.writeHead(500, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ error: { message: messageOf(error) } }));
  }
}
