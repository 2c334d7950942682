import { ConfigError } from "../errors/local.js";
import type { Receiver } from "./receive.js";
import { viewOf } from "./text.js";

/** The part of Node's `IncomingMessage` that is used; Express' request is one. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly rawHeaders: readonly string[];
  /** Whether anybody has read from the body's stream. */
  readonly readableDidRead: boolean;
  readonly destroyed: boolean;
  /** Whether the body has arrived to its end. */
  readonly complete?: boolean | undefined;
  readonly httpVersionMajor?: number | undefined;
  on(event: string, listener: (value: Uint8Array) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** The part of Node's `ServerResponse` that is used; Express' response is one. */
export interface NodeResponse {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

/** The part of Fastify's request that is used. */
export interface FastifyRequestLike {
  readonly raw: NodeRequest;
  readonly body?: unknown;
}

/** The part of Fastify's reply that is used. */
export interface FastifyReplyLike {
  readonly raw: NodeResponse;
  status(code: number): unknown;
  headers(values: Record<string, string>): unknown;
  send(body: string): unknown;
}

/** The part of Koa's context that is used. */
export interface KoaContextLike {
  readonly req: NodeRequest;
  readonly request: { readonly body?: unknown };
  status: number;
  body: unknown;
  set(headers: Record<string, string>): unknown;
}

/**
 * A receiver as the handler of a Node server: bare `http`, Express, Next.js pages, Fastify or Koa.
 *
 * It answers by itself and never throws. What it returns is a promise, which the frameworks wait for; it is not in the type,
 * because `http.createServer` has no use for it and linters then ask for it to be handled.
 */
export interface NodeHandler {
  /** Bare `http`, Express and Next.js pages. */
  (request: NodeRequest, response: NodeResponse): void;
  /** Fastify. */
  (request: FastifyRequestLike, reply: FastifyReplyLike): void;
  /** Koa. */
  (context: KoaContextLike): void;
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * Adapts a receiver to Node's servers: pass the result to `http.createServer`, to `app.post(path, …)` of Express and
 * Fastify, to `router.post(path, …)` of Koa.
 *
 * It reads the raw body itself. A body that a parser kept as bytes (`express.raw()`, `rawBody`, Fastify's
 * `parseAs: "buffer"`) will do too; a parsed one is answered with 500 and, in the receiver's log, the way to keep it raw.
 *
 * @throws {ConfigError} for what is no receiver.
 */
export function toNodeHandler(receiver: Receiver): NodeHandler {
  if (typeof receiver !== "function") {
    throw new ConfigError("toNodeHandler takes a receiver, not its options: toNodeHandler(createReceiver({ … })).");
  }
  return (first: unknown, second?: unknown): unknown => answer(receiver, first, second);
}

async function answer(receiver: Receiver, first: unknown, second: unknown): Promise<void> {
  if (isKoa(first)) {
    const result = await respond(receiver, first.req, [first.request, first.req]);
    first.status = result.status;
    first.set(result.headers);
    first.body = result.body;
  } else if (isFastify(first)) {
    // What comes with a request of Fastify's.
    const reply = second as FastifyReplyLike;
    const result = await respond(receiver, first.raw, [first, first.raw]);
    reply.status(result.status);
    reply.headers(result.headers);
    // Fastify waits for the promise of an async handler, and takes it as the answer unless one was sent before.
    await reply.send(result.body);
  } else {
    // By now it can only be Node's own pair: the types admit no fourth.
    const response = second as NodeResponse;
    const result = await respond(receiver, first as NodeRequest, [first]);
    if (response.headersSent) return;
    response.writeHead(result.status, result.headers);
    response.end(result.body);
  }
}

async function respond(receiver: Receiver, request: NodeRequest, holders: readonly unknown[]): Promise<Answer> {
  try {
    const response = await receiver(toRequest(request, holders));
    const body = await response.text();
    return { status: response.status, headers: { ...Object.fromEntries(response.headers), ...closing(request) }, body };
  } catch (error) {
    // A rejection here would end a bare http server's process, and anyone could then stop it.
    console.error("svc-sdk: the webhook receiver threw", error);
    return { status: 500, headers: closing(request), body: "" };
  }
}

/**
 * Closes the connection after a response that came before the body's end. To keep it, Node would read the rest, however
 * much that is. HTTP/2 has no such header and ends the stream by itself.
 */
function closing(request: NodeRequest): Record<string, string> {
  const isOver = request.complete !== false || request.httpVersionMajor === 2;
  return isOver ? {} : { connection: "close" };
}

function toRequest(request: NodeRequest, holders: readonly unknown[]): Request {
  const url = `http://localhost${request.url ?? "/"}`;
  const headers = toHeaders(request.rawHeaders);
  // Fetch knows no TRACE or CONNECT; all that matters here is that they are not POST.
  if (request.method !== "POST") return new Request("http://localhost/", { method: "GET", headers });
  const body = bodyOf(request, holders);
  const init = { method: "POST", headers, body, duplex: "half" };
  const converted = new Request(URL.canParse(url) ? url : "http://localhost/", init);
  // A request whose body was read is how Fetch says that the bytes are gone.
  if (body === GONE) void converted.text();
  return converted;
}

const GONE = "gone";

function bodyOf(request: NodeRequest, holders: readonly unknown[]): BodyInit {
  for (const holder of holders) {
    // Any object has both, if only as undefined.
    const { rawBody, body } = holder as { readonly rawBody?: unknown; readonly body?: unknown };
    // Bytes only: a text was decoded, and a broken character in it no longer tells which bytes it came from.
    const kept = viewOf(rawBody) ?? viewOf(body);
    if (kept) return new Uint8Array(kept);
  }
  return request.readableDidRead || request.destroyed ? GONE : toStream(request);
}

function toStream(request: NodeRequest): ReadableStream<Uint8Array> {
  let isListening = false;
  let isOver = false;
  const listen = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const end = (settle: () => void) => {
      if (!isOver) settle();
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
    // Nothing is read before it is asked for: what the headers refuse stays in the socket.
    { highWaterMark: 0 },
  );
}

function toHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    try {
      headers.append(name, value);
    } catch {
      // HTTP/2's parts of the request line, and what a lenient parser lets through: no header of a delivery.
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
