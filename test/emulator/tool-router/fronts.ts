import { createEmulator, type Emulator, type EmulatorOptions } from "../../../src/emulator/index.js";
import { startEmulator } from "../../../src/emulator/node.js";
import { Svc } from "../../../src/index.js";
import { checkDeclared } from "../../support/declared-fields.js";
import { sampled } from "../../support/size.js";

/** An emulator behind one of its fronts, with a strict client of it. */
export interface Front {
  readonly svc: Svc;
  readonly emulator: Pick<Emulator, "clock" | "reset" | "snapshot" | "restore" | "requests">;
  readonly apiKey: string;
  /** Another client, with another project key. */
  clientWith(apiKey: string): Svc;
  /** Fetches a URL from the emulator, as a program without the SDK would. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** The options of a client that reports every mismatch as an error. */
const STRICT = { use: [checkDeclared()], env: {}, maxRetries: 0 };

/** In the same process. */
export function inProcess(options: EmulatorOptions = {}): Front {
  const emulator = createEmulator(options);
  return {
    svc: new Svc({ ...emulator.connection, ...STRICT }),
    clientWith: (apiKey) => new Svc({ ...emulator.connection, ...STRICT, apiKey }),
    emulator,
    apiKey: emulator.connection.apiKey ?? "",
    fetch: (url, init) => emulator.fetch(url, init),
    close: async () => undefined,
  };
}

/** On a port, with a stopped clock, so that both fronts respond alike. */
async function onPort(options: EmulatorOptions = {}): Promise<Front> {
  const emulator = await startEmulator({ clock: { running: false }, ...options });
  return {
    svc: new Svc({ ...emulator.connection, ...STRICT }),
    clientWith: (apiKey) => new Svc({ ...emulator.connection, ...STRICT, apiKey }),
    emulator,
    apiKey: emulator.connection.apiKey ?? "",
    fetch: (url, init) => fetch(url, init),
    close: () => emulator.close(),
  };
}

/** By the name in test titles: in process, and in the long runs on a port too. */
export const FRONTS = sampled(
  [["in process", async (options?: EmulatorOptions) => inProcess(options)] as const, ["on a port", onPort] as const],
  2,
);
