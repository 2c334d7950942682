import { execFile } from "node:child_process";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import ts from "typescript";
import { inject } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { startEmulator } from "../../src/emulator/node.js";
import { Svc, type SvcOptions } from "../../src/index.js";
import { signedDelivery } from "../../src/testing/index.js";
import { verifyWebhook } from "../../src/webhooks/index.js";
import { freePort } from "../support/ports.js";

const { project } = inject("packed");
const secret = "whsec_b2YgdGhlIHRlc3Q=";
const issue = { owner: "octo-org", repo: "hello-world", title: "It works" };

const emulator = createEmulator();
const clientWith = (options: SvcOptions = {}) =>
  new Svc({ ...emulator.connection, env: {}, maxRetries: 0, ...options });
const openIssue = (slug = "GITHUB_CREATE_AN_ISSUE", user_id = "user-4711") =>
  clientWith().tools.execute(slug, { user_id, version: "20251023_00", arguments: issue });

/** A client whose connections fail as Node's do. A test asks no DNS server, and has no proxy with its own certificate. */
const failingWith = (message: string, code: string) => {
  const cause = Object.assign(new Error(message), { code });
  return clientWith({ fetch: () => Promise.reject(new TypeError("fetch failed", { cause })) });
};

/** Does what a reader did who searches for the message; each by its heading in docs/guide/troubleshooting.md. */
export const CAUSES: Readonly<Record<string, () => unknown>> = {
  "Cannot use import statement outside a module": () =>
    promisify(execFile)(process.execPath, ["--input-type=commonjs", "-e", 'import { Svc } from "svc-sdk";'], {
      cwd: project,
    }),
  "Cannot find module 'svc-sdk/webhooks' or its corresponding type declarations": () => {
    throw new Error(compiled('import { createReceiver } from "svc-sdk/webhooks"; createReceiver;'));
  },
  "No base URL. Pass baseUrl or set SVC_BASE_URL.": () => new Svc({ env: {} }),
  "baseUrl must be https": () => clientWith({ baseUrl: "http://emulator:4747" }),
  "needs a credential": () => new Svc({ baseUrl: "https://api.example.com", env: {} }).tools.list(),
  "401 Invalid API key": () => clientWith({ apiKey: "ak_revoked" }).tools.list(),
  // Typed as any object: the compiler rejects the option too.
  "Unknown option": () => clientWith({ apikey: "ak_x" } as object),
  "needs a version": () => clientWith().tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id: "ada", arguments: issue }),
  "Tool GITHUB_CREATE_ISSUE not found": () => openIssue("GITHUB_CREATE_ISSUE"),
  "No connected account found": () => openIssue("GITHUB_CREATE_AN_ISSUE", "nobody"),
  "is in EXPIRED state": () => openIssue("GITHUB_CREATE_AN_ISSUE", "user-expired"),
  "Connecting service-managed OAuth accounts with this endpoint is no longer supported": () =>
    clientWith().connectedAccounts.create({
      auth_config: { id: "ac_github_demo" },
      connection: { user_id: "ada", state: { authScheme: "OAUTH2", val: { status: "INITIALIZING" } } },
    }),
  // Node's own message, without the client.
  "fetch failed": async () => fetch(`http://127.0.0.1:${await freePort()}`),
  ECONNREFUSED: async () => clientWith({ fetch, baseUrl: `http://127.0.0.1:${await freePort()}` }).tools.list(),
  ENOTFOUND: () => failingWith("getaddrinfo ENOTFOUND", "ENOTFOUND").tools.list(),
  "certificate isn't trusted here": () =>
    failingWith("self-signed certificate in certificate chain", "SELF_SIGNED_CERT_IN_CHAIN").tools.list(),
  "429 Rate limit exceeded": () => {
    emulator.faults.next("tools.list", { status: 429 });
    return clientWith().tools.list();
  },
  "no result within timeoutMs": () => {
    emulator.faults.next("tools.list", { connection: "hang" });
    return clientWith({ timeoutMs: 20 }).tools.list();
  },
  "It may have run. Check before you retry.": () => {
    emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
    return openIssue();
  },
  "the body isn't JSON: it looks like an HTML page": () =>
    clientWith({ fetch: async () => new Response("<!doctype html><p>Sign in") }).tools.list(),
  "No signature matches": () => verifyWebhook(signedDelivery({ secret: "whsec_b3RoZXI=" }).request, { secret }),
  "The request's body was already read": async () => {
    const { request: parsed } = signedDelivery({ secret });
    await parsed.text();
    await verifyWebhook(parsed, { secret });
  },
  "webhook-id is missing": () => verifyWebhook(new Request("https://app.example", { method: "POST" }), { secret }),
  "and the tolerance is 300 s": () =>
    verifyWebhook(signedDelivery({ secret }).request, { secret, now: () => Date.now() + 3_600_000 }),
  "The emulator doesn't respond to requests for": async () => {
    const running = await startEmulator();
    const asked = request(running.url, { headers: { host: "emulator:4747" } }).end();
    const response = new Promise<IncomingMessage>((resolve) => asked.once("response", resolve));
    const body = await text(await response);
    await running.close();
    throw new Error(body);
  },
};

/** The compiler's errors for a file of a project that resolves modules as TypeScript did before `exports`. */
function compiled(code: string): string {
  const file = join(project, "resolved-as-before.ts");
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    ignoreDeprecations: "6.0",
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([file], options, {
    ...host,
    getSourceFile: (path, target) =>
      path === file ? ts.createSourceFile(path, code, target) : host.getSourceFile(path, target),
  });
  const found = program.getSemanticDiagnostics(program.getSourceFile(file));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")).join("; ");
}

/** The message of whatever it throws or rejects with. */
export async function messageOf(cause: () => unknown): Promise<string> {
  try {
    await cause();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("Nothing failed.");
}
