import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { ConfigError } from "../errors/local.js";
import { createEngine, type EmulatorOptions } from "./engine.js";
import { ApiFailure } from "./host/errors.js";
import { BrokenConnection, firstHalf } from "./host/faults.js";
import { hostCheck } from "./host/host-check.js";
import { errorBody } from "./host/responses.js";
import { activeKeys, type Keys } from "./host/seed.js";
import { type Emulator, emulatorOf } from "./index.js";
import { localPlane } from "./local-plane.js";

export type { EmulatorOptions } from "./engine.js";
export * from "./index.js";

/** Options for `startEmulator`. */
export interface StartOptions extends EmulatorOptions {
  /**
   * Port to listen on; 0 picks a free one.
   * @default 0
   */
  readonly port?: number | undefined;
  /**
   * IP or host name to listen on. The control plane responds to loopback callers only, whatever this is.
   * @default "127.0.0.1"
   */
  readonly host?: string | undefined;
  /**
   * Host names under which requests may come in, in addition to `localhost`, names below it, loopback IPs, and `host`;
   * other names get 403, because a web page can point them here. If `host` isn't loopback, every IP is allowed too.
   * @default []
   */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** An emulator on a port. Its clock runs by default. Otherwise, it works like an emulator in process. */
export interface RunningEmulator extends Omit<Emulator, "connection"> {
  /** Its URL on this machine: `http://127.0.0.1:4747`. */
  readonly url: string;
  /** Client options: `new Svc(running.connection)`. */
  readonly connection: Keys & { readonly baseUrl: string };
  /** Stops listening and delivering, and closes open connections. Resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * Starts the emulator on a port, for programs and tests in other processes.
 *
 * ```ts
 * const emulator = await startEmulator();
 * const svc = new Svc(emulator.connection);
 * console.log(`${(await svc.toolkits.list()).total_items} toolkits at ${emulator.url}`);
 * await emulator.close();
 * ```
 *
 * Open its URL in a browser for the inspector: what happens, and controls for it. Under `/_emulator` it has a control plane for
 * loopback callers; `GET /_emulator/openapi.json` describes its endpoints.
 *
 * Requests under a foreign host name or from a web page of another site are rejected with 403, see `allowedHosts`.
 *
 * @throws {ConfigError} if the port is taken, `host` isn't on this machine, or an allowed host isn't a host name.
 */
export async function startEmulator({
  port = 0,
  host = "127.0.0.1",
  allowedHosts = [],
  ...options
}: StartOptions = {}): Promise<RunningEmulator> {
  const hosts = hostCheck(host, allowedHosts);
  const engine = createEngine({ ...options, clock: { running: true, ...options.clock } });
  const emulator = emulatorOf(engine);
  const local = localPlane(emulator, engine);

  const listener = getRequestListener(
    async (request, bindings) => {
      // Only http servers call it here, never http2 ones.
      const { incoming, outgoing } = bindings as HttpBindings;
      if (local.matches(request)) {
        const isLocal = isLoopbackSocket(incoming) && hosts.isLocal(incoming);
        return isLocal ? local.serve(request) : Response.json(NOT_LOCAL, { status: 403 });
      }
      try {
        return await engine.serve(request);
      } catch (error) {
        if (error instanceof BrokenConnection) return breakOnSocket(error, outgoing);
        throw error;
      }
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer((incoming, outgoing) => {
    outgoing.setHeader("x-content-type-options", "nosniff");
    try {
      hosts.check(incoming);
    } catch (error) {
      return turnAway(error, outgoing);
    }
    void listener(incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "EADDRINUSE" ? "the port is taken" : error.message;
      reject(new ConfigError(`The emulator cannot listen on ${host}:${port}: ${reason}.`));
    });
    try {
      server.listen(port, host, resolve);
    } catch (error) {
      // listen throws immediately for an invalid port number.
      reject(new ConfigError(`The emulator cannot listen on ${host}:${port}: ${String(error)}.`));
    }
  });

  // A server listening on a port always returns this type.
  const bound = server.address() as AddressInfo;
  // Clients can't connect to a wildcard.
  const ip = bound.address.replace(/^0\.0\.0\.0$/, "127.0.0.1").replace(/^::$/, "::1");
  const name = bound.family === "IPv6" ? `[${ip}]` : ip;
  const url = `http://${name}:${bound.port}`;
  return {
    ...emulator,
    // A spread would copy the getters' current values.
    get events() {
      return emulator.events;
    },
    get requests() {
      return emulator.requests;
    },
    url,
    connection: { baseUrl: url, ...activeKeys(engine.seed) },
    close: () =>
      new Promise((resolve) => {
        engine.stop();
        // Closing twice is fine: the port is free either way.
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const NOT_LOCAL = {
  message: "The control plane and the inspector respond only to callers on this machine, not to web pages of others.",
};

type Incoming = HttpBindings["incoming"];

type Outgoing = HttpBindings["outgoing"];

function isLoopbackSocket({ socket }: Incoming): boolean {
  return /^(::1|(::ffff:)?127\.)/.test(socket.remoteAddress ?? "");
}

/** Rejects a request before any of it is read, and closes the connection: its body isn't wanted. */
function turnAway(error: unknown, outgoing: Outgoing): void {
  if (!(error instanceof ApiFailure)) throw error;
  const { details } = error;
  outgoing.writeHead(details.status, { "content-type": "application/json", connection: "close" });
  outgoing.end(JSON.stringify(errorBody(details, randomUUID())));
}

async function breakOnSocket({ how, response }: BrokenConnection, outgoing: Outgoing): Promise<Response> {
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
