import * as option from "../../errors/option-rules.js";
import { messageOf } from "../../shared/message-of.js";
import { nodeModule } from "../../shared/node-module.js";
import { serverUrl } from "../../shared/server-url.js";
import { ConfigError } from "../../webhooks/index.js";
import type { AnswerRequest, ModelServer, ServeOptions } from "./types.js";

/** The parts of `node:http` that the server needs. Bundlers for browsers reject an import of it. */
interface HttpOfNode {
  createServer(listener: (incoming: IncomingOfNode, outgoing: OutgoingOfNode) => void): ServerOfNode;
}

interface ServerOfNode {
  once(event: "listening" | "error", listener: (error: Error) => void): unknown;
  listen(port: number, host: string): unknown;
  address(): { readonly address: string; readonly family: string; readonly port: number };
  closeAllConnections(): void;
  close(closed: () => void): unknown;
}

interface IncomingOfNode extends AsyncIterable<Uint8Array<ArrayBuffer>> {
  readonly method?: string;
  readonly url?: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface OutgoingOfNode {
  readonly headersSent: boolean;
  writeHead(status: number, headers: object): unknown;
  write(chunk: Uint8Array, sent: (error?: Error | null) => void): unknown;
  end(text?: string): unknown;
  destroy(): unknown;
}

const OPTIONS = {
  port: { ...option.between(0, 65_535, true), default: 0 },
  host: { ...option.NAME, default: "127.0.0.1" },
} as const satisfies option.Rules<ServeOptions>;

/** Serves a scripted model. @throws {ConfigError} if it can't listen. */
export async function serveModel(answer: AnswerRequest, given?: ServeOptions): Promise<ModelServer> {
  const { port, host } = option.checkAll("serve", given, OPTIONS);
  const server = httpOfNode().createServer((incoming, outgoing) => void respondToRequest(answer, incoming, outgoing));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("listening", () => resolve());
      server.once("error", reject);
      server.listen(port, host);
    });
  } catch (error) {
    throw new ConfigError(
      `serve: the model can't listen on ${host}:${port}: ${messageOf(error)}. Choose another port, or 0 for any free one.`,
    );
  }
  const url = serverUrl(server.address());
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(resolve));
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

/** @throws {ConfigError} in a runtime without the modules of Node. */
function httpOfNode(): HttpOfNode {
  const http = nodeModule<HttpOfNode>("node:http");
  if (http) return http;
  throw new ConfigError(
    "serve: this runtime can't listen on a port. Use Node, Bun or Deno, or pass the model's fetch.",
  );
}

async function respondToRequest(answer: AnswerRequest, incoming: IncomingOfNode, outgoing: OutgoingOfNode) {
  try {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = "GET", headers, url = "/" } = incoming;
    const sent = Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
    const body = method === "GET" || method === "HEAD" ? null : new Blob(chunks);
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
