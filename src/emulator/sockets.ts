import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import { ConfigError } from "../errors/local.js";
import { serverUrl } from "../shared/server-url.js";
import { type BrokenConnection, firstHalf } from "./engine/faults.js";
import { ApiFailure, errorBody } from "./engine/responses.js";

/** Resolves when the server listens. */
export function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "EADDRINUSE"
          ? "the port is taken. Choose another port (svc-sdk emulator --port), or 0 for any free one"
          : error.message;
      reject(new ConfigError(`The emulator cannot listen on ${host}:${port}: ${reason}.`));
    });
    try {
      server.listen(port, host, resolve);
    } catch (error) {
      // listen throws immediately for an invalid port number.
      reject(new ConfigError(`The emulator cannot listen on ${host}:${port}: ${String(error)}.`));
    }
  });
}

/** The URL of a listening server on this machine. */
export function urlOf(server: Server): string {
  // A server listening on a port always returns this type.
  return serverUrl(server.address() as AddressInfo);
}

type Incoming = HttpBindings["incoming"];

type SocketOutgoing = HttpBindings["outgoing"];

/** Whether a request comes from this machine. */
export function isLoopbackSocket({ socket }: Incoming): boolean {
  return /^(::1|(::ffff:)?127\.)/.test(socket.remoteAddress ?? "");
}

/** Rejects a request before any of it is read, and closes the connection: its body isn't wanted. */
export function rejectOnSocket(error: unknown, outgoing: SocketOutgoing): void {
  if (!(error instanceof ApiFailure)) throw error;
  const { details } = error;
  outgoing.writeHead(details.status, { "content-type": "application/json", connection: "close" });
  outgoing.end(JSON.stringify(errorBody(details, randomUUID())));
}

/** Breaks a connection as a fault says. */
export async function breakOnSocket({ how, response }: BrokenConnection, outgoing: SocketOutgoing): Promise<Response> {
  if (how === "hang") return new Promise(() => undefined);
  if (how === "reset") {
    outgoing.socket?.resetAndDestroy();
  } else {
    const { half, length } = await firstHalf(response);
    outgoing.writeHead(response?.status ?? 200, {
      ...Object.fromEntries(response?.headers ?? []),
      "content-length": length,
    });
    outgoing.write(half, () => outgoing.socket?.destroy());
  }
  return new Response(null, { headers: { "x-hono-already-sent": "true" } });
}
