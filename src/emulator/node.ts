import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { ConfigError } from "../errors/local.js";
import { BrokenConnection, firstHalf } from "./broken-connection.js";
import { CONTROL_PREFIX, controlPlane } from "./control.js";
import { createEngine, type EmulatorOptions } from "./engine.js";
import { type Emulator, emulatorOf } from "./index.js";
import { activeKeys, type Keys } from "./seed.js";

export type { EmulatorOptions } from "./engine.js";
export * from "./index.js";

/** Options of an emulator on a port. */
export interface StartOptions extends EmulatorOptions {
  /**
   * Port to listen on; 0 takes a free one.
   * @default 0
   */
  readonly port?: number | undefined;
  /**
   * Address to listen on. The control plane answers loopback callers only, whatever this is.
   * @default "127.0.0.1"
   */
  readonly host?: string | undefined;
}

/** An emulator on a port. Its clock runs by default; the other verbs are those of the emulator in process. */
export interface RunningEmulator extends Omit<Emulator, "connection"> {
  /** Its address: `http://127.0.0.1:4747`. */
  readonly url: string;
  /** Options that connect a client: `new Svc(running.connection)`. */
  readonly connection: Keys & { readonly baseUrl: string };
  /** Stops listening and delivering, and breaks what is still open. Resolves when the port is free. */
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
 * Under `/_emulator` it has a control plane for loopback callers: `GET /health`, `POST /reset`, `GET` and `PUT /snapshot`,
 * `GET` and `POST /clock` (`{ "advance": "30d" }`), `POST` and `DELETE /faults`, `GET /requests`, `POST /catalogue`
 * (`{ "toolkit", "version", "changes" }`), `GET /events`, `POST /accounts/{id}/expire`, `POST /triggers/{id}/fire`,
 * `GET /deliveries`, `POST` and `DELETE /deliveries/misbehave`, `POST /settled`.
 *
 * @throws {ConfigError} when the port is taken or the address is not one of this machine.
 */
export async function startEmulator({
  port = 0,
  host = "127.0.0.1",
  ...options
}: StartOptions = {}): Promise<RunningEmulator> {
  const engine = createEngine({ ...options, clock: { running: true, ...options.clock } });
  const emulator = emulatorOf(engine);
  const control = controlPlane(emulator);

  const listener = getRequestListener(
    async (request, bindings) => {
      // Only http servers call it here, never http2 ones.
      const { incoming, outgoing } = bindings as HttpBindings;
      if (new URL(request.url).pathname.startsWith(`${CONTROL_PREFIX}/`)) {
        return isLocal(incoming) ? control(request) : Response.json(NOT_LOCAL, { status: 403 });
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
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "EADDRINUSE" ? "the port is taken" : error.message;
      reject(new ConfigError(`The emulator cannot listen on ${host}:${port}: ${reason}.`));
    });
    try {
      server.listen(port, host, resolve);
    } catch (error) {
      // A number that is no port is thrown at once.
      reject(new ConfigError(`The emulator cannot listen on ${host}:${port}: ${String(error)}.`));
    }
  });

  // A server that listens on a port has an address of this kind.
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  const url = `http://${name}:${address.port}`;
  return {
    ...emulator,
    // Getters do not survive the spread.
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
        // Closing twice is no mistake: the port is free either way.
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const NOT_LOCAL = { message: "The control plane answers callers on this machine only, not web pages of others." };

type Incoming = HttpBindings["incoming"];
type Outgoing = HttpBindings["outgoing"];

/** A loopback caller that was not sent by a web page of somebody else. */
function isLocal({ socket, headers }: Incoming): boolean {
  const isLoopback = /^(::1|(::ffff:)?127\.)/.test(socket.remoteAddress ?? "");
  const isLocalName = (name: string | undefined) => /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(name ?? "");
  const origin = headers.origin?.replace(/^https?:\/\//, "");
  return isLoopback && isLocalName(headers.host) && (origin === undefined || isLocalName(origin));
}

async function breakOnSocket({ how, answer }: BrokenConnection, outgoing: Outgoing): Promise<Response> {
  if (how === "hang") return new Promise(() => undefined);
  if (how === "reset") {
    outgoing.socket?.resetAndDestroy();
  } else {
    const { half, length } = await firstHalf(answer);
    outgoing.writeHead(answer?.status ?? 200, {
      ...Object.fromEntries(answer?.headers ?? []),
      "content-length": length,
    });
    outgoing.write(half, () => outgoing.socket?.destroy());
  }
  return new Response(null, { headers: { "x-hono-already-sent": "true" } });
}
