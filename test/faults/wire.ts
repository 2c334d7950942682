import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { listen } from "../support/ports.js";

/** A server's behavior in one exchange, and whether it waits for the request first. */
export interface Move {
  readonly on: "accept" | "request";
  readonly play: (socket: Socket, request: string) => void;
}

/** A server on a port that plays bytes instead of speaking HTTP. */
export interface WireServer {
  readonly address: string;
  /** How many moves it played: one for each attempt that reached it. */
  readonly turns: number;
  /** The complete requests, as received. */
  readonly requests: readonly string[];
  /** How many connections were opened. */
  readonly connections: number;
  /** Resolves when the other side has let go of every connection that carried a request. */
  released(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server that plays `moveOf(1)` in its first exchange, `moveOf(2)` in its second, and so on. */
export async function wireServer(
  moveOf: (turn: number) => Move,
  tls?: { readonly key: string; readonly cert: string },
): Promise<WireServer> {
  const sockets = new Set<Socket>();
  const asked = new Set<Socket>();
  const requests: string[] = [];
  let turns = 0;
  let connections = 0;
  const take = (): Move => {
    turns += 1;
    return moveOf(turns);
  };

  const onConnection = (socket: Socket) => {
    // A client that breaks off is part of the play.
    socket.on("error", () => socket.destroy());
    // No client of HTTP says that it is done and still listens.
    socket.on("end", () => socket.destroy());
    if (moveOf(turns + 1).on === "accept") {
      socket.resume();
      take().play(socket, "");
      return;
    }
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1");
      for (let length = lengthOfRequest(received); length !== undefined; length = lengthOfRequest(received)) {
        asked.add(socket);
        const request = received.slice(0, length);
        requests.push(request);
        received = received.slice(length);
        take().play(socket, request);
      }
    });
  };

  const server: Server = tls
    ? createTlsServer({ ...tls, allowHalfOpen: true }, onConnection)
    : createServer({ allowHalfOpen: true }, onConnection);
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      asked.delete(socket);
    });
  });
  // A handshake that fails has its socket closed for it.
  server.on("tlsClientError", () => undefined);
  const port = await listen(server);
  return {
    address: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    requests,
    get turns() {
      return turns;
    },
    get connections() {
      return connections;
    },
    released: async () => {
      await Promise.all([...asked].map((socket) => new Promise((resolve) => socket.once("close", resolve))));
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The length of the first whole request in these bytes, or `undefined` if it is not whole yet. */
function lengthOfRequest(received: string): number | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const bodyLength = Number(/^content-length: (\d+)$/im.exec(received.slice(0, headEnd))?.[1] ?? 0);
  const length = headEnd + 4 + bodyLength;
  return received.length < length ? undefined : length;
}

/** A response, as raw bytes. */
export function answer(status: number, body: string | Uint8Array, ...headers: readonly string[]): Buffer {
  const bytes = Buffer.from(body);
  const hasLength = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header));
  const length = hasLength || status === 204 || status === 304 ? [] : [`content-length: ${bytes.byteLength}`];
  return Buffer.concat([Buffer.from([`HTTP/1.1 ${status} Played`, ...headers, ...length, "", ""].join("\r\n")), bytes]);
}

export const JSON_TYPE = "content-type: application/json";

/** A JSON answer. */
export function json(status: number, body: string | object | Uint8Array, ...headers: readonly string[]): Buffer {
  const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  return answer(status, text, JSON_TYPE, ...headers);
}

type Bytes = string | Uint8Array;

/** Answers with these bytes and keeps the connection. */
export const writes = (bytes: Bytes): Move => ({ on: "request", play: (socket) => socket.write(bytes) });

/** Answers with these bytes, then says that it is done. */
export const ends = (bytes: Bytes): Move => ({ on: "request", play: (socket) => socket.end(bytes) });

/** Answers with these bytes, then breaks the connection. */
export const breaks = (bytes: Bytes): Move => ({
  on: "request",
  play: (socket) => {
    // Not before the bytes were sent: a reset overtakes what is still in the buffer.
    if (bytes.length === 0) socket.resetAndDestroy();
    else socket.write(bytes, () => setImmediate(() => socket.resetAndDestroy()));
  },
});

/** Answers with `begin`, then with `piece` over and over, as fast as they are taken or every few milliseconds. */
export const drips = (begin: Bytes, piece: Bytes, everyMs?: number): Move => ({
  on: "request",
  play: (socket) => {
    socket.write(begin);
    if (everyMs === undefined) return pour(socket, piece);
    const timer = setInterval(() => socket.write(piece), everyMs);
    socket.once("close", () => clearInterval(timer));
  },
});

/** Writes this answer one byte at a time, every few milliseconds. */
export const spells = (bytes: string, everyMs: number): Move => ({
  on: "request",
  play: (socket) => {
    let at = 0;
    const timer = setInterval(() => {
      socket.write(bytes.charAt(at));
      at += 1;
      if (at >= bytes.length) clearInterval(timer);
    }, everyMs);
    socket.once("close", () => clearInterval(timer));
  },
});

function pour(socket: Socket, piece: Bytes): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  more();
}
