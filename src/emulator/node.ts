import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { ConfigError } from "../errors/local.js";
import { EMULATOR_HOST } from "../shared/control-plane.js";
import { fieldsOf } from "../shared/json.js";
import { type Assembly, assemble, emulatorOf } from "./assembly/emulator.js";
import {
  type Emulator,
  type EmulatorOptions,
  OPTION_NAMES,
  PORT_OPTION_NAMES,
  readOptions,
} from "./assembly/interface.js";
import { activeKeys, type EmulatorKeys } from "./assembly/seeding.js";
import { localPlane } from "./control-plane/control-plane.js";
import { openDataFolder } from "./data-folder/data-folder.js";
import { BrokenConnection } from "./engine/faults.js";
import { errorBody } from "./engine/responses.js";
import { hostCheck } from "./hosts.js";
import { breakOnSocket, isLoopbackSocket, listening, rejectOnSocket, urlOf } from "./sockets.js";

export type { EmulatorOptions } from "./assembly/interface.js";
export { readDataFolder, writeDataFolder } from "./data-folder/data-folder.js";
export * from "./index.js";

/** Options for `startEmulator`. */
export interface StartOptions extends EmulatorOptions {
  /**
   * Port to listen on; 0 picks a free one.
   * @default 0
   */
  readonly port?: number | undefined;
  /**
   * IP or host name to listen on. The control plane always responds to loopback callers only.
   * @default "127.0.0.1"
   */
  readonly host?: string | undefined;
  /**
   * Additional host names that requests may use, besides `localhost`, its subdomains, loopback IPs, and `host`. Other
   * names get 403, because a web page can point them here. If `host` isn't loopback, every IP is allowed too.
   * @default []
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Folder that keeps the state, even after a crash. A new folder starts with the seed; otherwise, the emulator
   * continues with the folder's state, and the seed only matters for `reset`. Each change is written before its
   * response is sent, and changes made from code within a quarter of a second. One process can use a folder at a time.
   * It contains credentials in plain text.
   * @default the state is gone when the process ends
   */
  readonly data?: string | undefined;
}

/** An emulator on a port. Its clock runs by default. Otherwise, it works like an emulator in process. */
export interface RunningEmulator extends Omit<Emulator, "connection"> {
  /** Its URL on this machine: `http://127.0.0.1:4747`. */
  readonly url: string;
  /** Client options: `new Svc(running.connection)`. */
  readonly connection: EmulatorKeys & { readonly baseUrl: string };
  /** Stops listening and delivering, and closes open connections. Resolves when the port is free. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
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
 * Open its URL in a browser for the inspector: what happens, and controls for it. Under `/_emulator` it has a control
 * plane for loopback callers; `GET /_emulator/openapi.json` describes its endpoints.
 *
 * Requests under a foreign host name or from a web page of another site are rejected with 403, see `allowedHosts`.
 *
 * @throws {ConfigError} if the port is taken, `host` is empty or isn't on this machine, an allowed host isn't a host
 * name, or the data folder can't be used.
 */
export function startEmulator(given: StartOptions = {}): Promise<RunningEmulator> {
  return Object.defineProperties(start(given), { connection: UNAWAITED, url: UNAWAITED });
}

/** A property that a program without types may read from an emulator that it forgot to await. */
const UNAWAITED: PropertyDescriptor = {
  get: () => {
    throw new ConfigError("startEmulator: the emulator is still starting. Await it: await startEmulator().");
  },
};

async function start(given: StartOptions): Promise<RunningEmulator> {
  const { port = 0, host = EMULATOR_HOST, allowedHosts = [], data, ...others } = startOptions(given);
  // A spread would ignore a clock that isn't an object.
  const options = readOptions(others);
  const hosts = hostCheck(host, allowedHosts);
  const engine = assemble({ ...options, clock: { running: true, ...options.clock } });
  const emulator = emulatorOf(engine);
  // After `emulatorOf`, which remembers the seed's state for `reset`.
  const folder = data === undefined ? undefined : openDataFolder(data, engine);
  const stop = () => {
    engine.stop();
    folder?.close();
  };
  const server = serverOf(engine, localPlane(emulator, engine), hosts, () => folder?.save());
  await listening(server, port, host).catch((error: unknown) => {
    stop();
    throw error;
  });

  const url = urlOf(server);
  const close = async () => {
    engine.stop();
    // Closing twice is fine: the port is free either way.
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    stop();
  };
  const running = Object.assign(emulator, { url, close, [Symbol.asyncDispose]: close });
  // Its keys can change, like those of an emulator in process.
  return Object.defineProperty(running, "connection", {
    get: () => ({ baseUrl: url, ...activeKeys(engine.state.keys) }),
  });
}

/**
 * The server that passes requests to the control plane or to the API.
 *
 * @param save - Writes the state to the data folder, if there is one.
 */
function serverOf(
  engine: Assembly,
  local: ReturnType<typeof localPlane>,
  hosts: ReturnType<typeof hostCheck>,
  save: () => void,
): Server {
  const listener = getRequestListener(
    async (request, bindings) => {
      // Only http servers call it here, never http2 ones.
      const { incoming, outgoing } = bindings as HttpBindings;
      const isForLocal = local.matches(request);
      if (isForLocal && !(isLoopbackSocket(incoming) && hosts.isLocal(incoming))) {
        return Response.json(NOT_LOCAL, { status: 403 });
      }
      try {
        // Save before responding, even if a fault breaks the response.
        return await (isForLocal ? local : engine).serve(request).finally(save);
      } catch (error) {
        if (error instanceof BrokenConnection) return breakOnSocket(error, outgoing);
        if (error instanceof ConfigError) return notSaved(error);
        throw error;
      }
    },
    { overrideGlobalObjects: false },
  );
  return createServer((incoming, outgoing) => {
    outgoing.setHeader("x-content-type-options", "nosniff");
    try {
      hosts.check(incoming);
    } catch (error) {
      return rejectOnSocket(error, outgoing);
    }
    void listener(incoming, outgoing);
  });
}

/** Its own options; the emulator checks the others. */
function startOptions(given: StartOptions): StartOptions {
  const names = [...PORT_OPTION_NAMES, ...OPTION_NAMES];
  const options = fieldsOf(given, names);
  if (!options) throw new ConfigError("startEmulator: the options must be an object, such as { port }.");
  return options;
}

function notSaved({ message }: ConfigError): Response {
  const failure = { status: 500, code: 10500, slug: "Emulator_NotSaved", message };
  return Response.json(errorBody(failure, randomUUID()), { status: 500 });
}

const NOT_LOCAL = {
  message: "The control plane and the inspector respond only to callers on this machine, not to web pages of others.",
};
