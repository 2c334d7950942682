import { ConfigError } from "../errors/local.js";
import { WebhookVerificationError } from "../errors/webhook.js";
import { field } from "../shared/json.js";
import { PARSED, viewOf } from "./input.js";
import type {
  FastifyReplyLike,
  FastifyRequestLike,
  KoaContextLike,
  NodeRequest,
  NodeResponse,
} from "./node-requests.js";
import type { Receiver } from "./receive.js";

export type * from "./node-requests.js";

/**
 * A receiver as the handler of a Node server: bare `http`, Express, Next.js pages, Fastify or Koa.
 *
 * It sends the response and never throws. It returns a promise, which the frameworks await. The type omits it, because
 * `http.createServer` ignores it and linters would then require handling it.
 */
export interface NodeHandler {
  /** Bare `http`, Express and Next.js pages. */
  (request: NodeRequest, response: NodeResponse): void;
  /** Fastify. */
  (request: FastifyRequestLike, reply: FastifyReplyLike): void;
  /** Koa. */
  (context: KoaContextLike): void;
}

/**
 * Adapts a receiver to Node servers: pass the result to `http.createServer`, to `app.post(path, …)` of Express and
 * Fastify, or to `router.post(path, …)` of Koa.
 *
 * It reads the raw body itself. A body that a parser kept as bytes (`express.raw()`, `rawBody`, Fastify's `parseAs:
 * "buffer"`) works too. If the body was parsed, it responds with 500, and the error says how to keep the body raw.
 *
 * @throws {ConfigError} if the argument isn't a receiver.
 */
export function toNodeHandler(receiver: Receiver): NodeHandler {
  if (typeof receiver !== "function") {
    throw new ConfigError("toNodeHandler: The argument isn't a receiver. Pass createReceiver({ … }), not its options.");
  }
  return (first: unknown, second?: unknown): unknown => handle(receiver, first, second);
}

async function handle(receiver: Receiver, first: unknown, second: unknown): Promise<void> {
  if (isKoa(first)) {
    const result = await respondToNode(receiver, first.req, [first.request, first.req]);
    first.status = result.status;
    first.set(result.headers);
    first.body = result.body;
  } else if (isFastify(first)) {
    // Fastify passes a reply with each request.
    const reply = second as FastifyReplyLike;
    const result = await respondToNode(receiver, first.raw, [first, first.raw]);
    reply.status(result.status);
    reply.headers(result.headers);
    // Fastify awaits an async handler and sends its result unless a response was already sent.
    await reply.send(result.body);
  } else {
    if (field(second, "writeHead") === undefined) {
      throw new ConfigError(
        "toNodeHandler: The handler was called without a response. In h3 1, mount fromNodeMiddleware(toNodeHandler(receiver)), or pass toWebRequest(event) to the receiver.",
      );
    }
    // Only Node's own request and response are left: the types allow no fourth form.
    const response = second as NodeResponse;
    const result = await respondToNode(receiver, first as NodeRequest, [first]);
    if (response.headersSent) return;
    response.writeHead(result.status, result.headers);
    response.end(result.body);
  }
}

async function respondToNode(receiver: Receiver, request: NodeRequest, sources: readonly unknown[]) {
  try {
    const response = await receiver(toRequest(request, sources));
    const body = await response.text();
    return { status: response.status, headers: { ...Object.fromEntries(response.headers), ...closing(request) }, body };
  } catch (error) {
    // A rejection here would end the process of a bare http server, so anyone could stop it.
    console.error("svc-sdk: the webhook receiver threw", error);
    return { status: 500, headers: closing(request), body: "" };
  }
}

/**
 * Closes the connection after a response that came before the body's end: to keep it open, Node would read the rest,
 * however much that is. And if the server was closed: on an open connection, more requests would come. HTTP/2 has no
 * such header and ends the stream automatically.
 */
function closing({ complete, httpVersionMajor, socket }: NodeRequest): Record<string, string> {
  if (httpVersionMajor === 2) return {};
  const isServerClosed = field(field(socket, "server"), "listening") === false;
  return complete === false || isServerClosed ? { connection: "close" } : {};
}

function toRequest(request: NodeRequest, sources: readonly unknown[]): Request {
  const url = `http://localhost${request.url ?? "/"}`;
  const headers = toHeaders(request);
  // Fetch doesn't allow TRACE or CONNECT. All that matters here is that they aren't POST.
  if (request.method !== "POST") return new Request("http://localhost/", { method: "GET", headers });
  const init = { method: "POST", headers, body: bodyOf(request, sources), duplex: "half" };
  return new Request(URL.canParse(url) ? url : "http://localhost/", init);
}

function bodyOf(request: NodeRequest, sources: readonly unknown[]): BodyInit {
  let text: string | undefined;
  for (const source of sources) {
    for (const name of ["rawBody", "body"]) {
      const kept: unknown = Reflect.get(Object(source), name);
      const bytes = viewOf(kept);
      if (bytes) return new Uint8Array(bytes);
      if (typeof kept === "string") text ??= name;
    }
  }
  // Mocks of a request have the fields of one, but aren't streams.
  const isStream = typeof request.resume === "function";
  if (isStream && !request.readableDidRead && !request.destroyed) return toStream(request);
  // A decoded string no longer shows which bytes a broken character came from.
  const problem = text
    ? `The request's ${text} is a string. Keep the body as bytes.`
    : "The request's body was already read.";
  return rejected(`${problem} ${PARSED}`);
}

/** The body of a request whose bytes are gone. */
function rejected(message: string): ReadableStream {
  const error = new WebhookVerificationError("body_already_parsed", message);
  return new ReadableStream({ pull: (controller) => controller.error(error) }, { highWaterMark: 0 });
}

function toStream(request: NodeRequest): ReadableStream<Uint8Array> {
  let isListening = false;
  let isOver = false;
  const listen = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const end = (finish: () => void) => {
      if (!isOver) finish();
      isOver = true;
    };
    request.on("data", (chunk) => {
      if (isOver) return;
      controller.enqueue(chunk);
      request.pause();
    });
    request.on("end", () => end(() => controller.close()));
    request.on("error", (error) => end(() => controller.error(error)));
    request.on("close", () => end(() => controller.error(new Error("The connection closed."))));
  };
  return new ReadableStream(
    {
      pull(controller) {
        if (!isListening) listen(controller);
        isListening = true;
        request.resume();
      },
      cancel() {
        isOver = true;
        request.pause();
      },
    },
    // Read only on demand: a body that the headers reject stays in the socket.
    { highWaterMark: 0 },
  );
}

function toHeaders({ rawHeaders = [], headers: parsed = {} }: NodeRequest): Headers {
  const headers = new Headers();
  const append = (name: string, value: string) => {
    try {
      headers.append(name, value);
    } catch {
      // HTTP/2 pseudo-headers, and invalid names that a lenient parser accepts: never a delivery's headers.
    }
  };
  // Only a request from a socket has raw headers.
  if (rawHeaders.length > 0) {
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      append(String(rawHeaders[index]), String(rawHeaders[index + 1]));
    }
  } else {
    for (const [name, value = []] of Object.entries(parsed)) {
      for (const item of Array.isArray(value) ? value : [value]) append(name, String(item));
    }
  }
  return headers;
}

function isKoa(value: unknown): value is KoaContextLike {
  return typeof value === "object" && value !== null && "req" in value && "request" in value && "set" in value;
}

function isFastify(value: unknown): value is FastifyRequestLike {
  return typeof value === "object" && value !== null && "raw" in value && "server" in value;
}
