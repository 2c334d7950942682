import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Setup } from "../../src/cli/doctor/finding.js";
import { createEmulator, type EmulatorOptions } from "../../src/emulator/index.js";
import { startEmulator } from "../../src/emulator/node.js";
import { createReceiver } from "../../src/webhooks/index.js";
import { toNodeHandler } from "../../src/webhooks/node.js";
import { listen } from "../support/ports.js";

/** A directory for a test, with these files. */
export function directoryWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** An emulator for a test, and the variables of a command that uses it, with every kind of key. */
export async function emulated() {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const { baseUrl, apiKey = "", userApiKey = "", orgApiKey = "" } = emulator.connection;
  const keys = { SVC_API_KEY: apiKey, SVC_USER_API_KEY: userApiKey, SVC_ORG_API_KEY: orgApiKey };
  return { emulator, env: { SVC_BASE_URL: baseUrl, ...keys } };
}

/** Listens until the test is over; resolves to the port. */
async function listening(server: Server & { closeAllConnections?: () => void }): Promise<number> {
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return port;
}

/** Serves HTTP until the test is over. */
export async function httpServer(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(listener))}`;
}

/** Serves HTTPS until the test is over. */
export async function httpsServer(certificate: { key: string; cert: string }, listener: RequestListener) {
  return `https://127.0.0.1:${await listening(createTlsServer(certificate, listener))}`;
}

/** A proxy that answers every request for a tunnel with a status. */
export async function proxyWith(status: number): Promise<string> {
  const server = createServer();
  server.on("connect", (_request, socket) => socket.end(`HTTP/1.1 ${status} Whatever\r\n\r\n`));
  return `http://127.0.0.1:${await listening(server)}`;
}

/** An emulator behind a small server, which may change responses, or answer by itself. */
export interface Service {
  readonly url: string;
  /** The URL under a host name that isn't known as this machine. */
  readonly remoteUrl: string;
  readonly emulator: ReturnType<typeof createEmulator>;
  readonly listener: RequestListener;
}

export async function service(
  change: (response: Response) => Response | Promise<Response> = (response) => response,
  options: EmulatorOptions = {},
): Promise<Service> {
  // The doctor compares its clock with the clock of this machine.
  const emulator = createEmulator({ ...options, clock: { running: true, ...options.clock } });
  const listener: RequestListener = (incoming, outgoing) => {
    void (async () => {
      const { status, headers, body } = await change(await emulator.fetch(await requestOf(incoming)));
      outgoing.writeHead(status, Object.fromEntries(headers));
      outgoing.end(body ? Buffer.from(await new Response(body).arrayBuffer()) : undefined);
    })();
  };
  const url = await httpServer(listener);
  return { url, remoteUrl: url.replace("127.0.0.1", "0.0.0.0"), emulator, listener };
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { host, connection: _connection, ...headers } = incoming.headers;
  const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
  const url = `http://${host}${incoming.url}`;
  return new Request(url, { method: incoming.method ?? "GET", headers: headers as Record<string, string>, body });
}

/** A webhook receiver of this package on a port. */
export async function receiver(secret: string): Promise<string> {
  const handler = createReceiver({ secret, on: {}, onUnhandled: () => undefined, onError: () => undefined });
  return `${await httpServer(toNodeHandler(handler))}/webhooks`;
}

export const SECRET = "whsec_of_the_receiver";

/** A setup without any problem, with changes. */
export function setupOf(
  url: string,
  environment: Record<string, string | undefined> = {},
  more: Partial<Setup> = {},
): Setup {
  return {
    environment: { SVC_BASE_URL: url, SVC_API_KEY: "ak_emulator", ...environment },
    execArgv: [],
    receiver: undefined,
    secretVariable: "SVC_WEBHOOK_SECRET",
    timeoutMs: 20_000,
    now: Date.now,
    ...more,
  };
}
