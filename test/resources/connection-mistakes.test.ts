import { createServer } from "node:https";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { ConnectionError, ConnectionStateError, MissingCredentialError, Svc, TimeoutError } from "../../src/index.js";
import { httpsServer } from "../cli/setups.js";
import { SELF_SIGNED } from "../faults/certificates.js";
import { emulated, rejectionOf } from "../support/client.js";
import { freePort, listen } from "../support/ports.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The message about a service that can't be reached at this URL. */
async function messageAt(baseUrl: string): Promise<string> {
  const svc = new Svc({ baseUrl, apiKey: "ak_test", env: {}, allowInsecureHttp: true, maxRetries: 0 });
  return (await rejectionOf(ConnectionError, svc.tools.list())).message;
}

describe("the message about a connection says what to change:", () => {
  test("the scheme of baseUrl, if the port speaks TLS", async () => {
    const secure = await httpsServer(SELF_SIGNED, (_, response) => void response.end("{}"));
    expect(await messageAt(secure.replace("https:", "http:"))).toMatch(
      /^tools\.list: no response from http:\S+ \(\w+\)\. If the service uses TLS on this port, baseUrl must start with https:\.$/,
    );
  });

  test("NODE_EXTRA_CA_CERTS, if the certificate isn't trusted", async () => {
    const server = createServer(SELF_SIGNED);
    onTestFinished(() => void server.close());
    expect(await messageAt(`https://127.0.0.1:${await listen(server)}`)).toContain(
      "If your organization issued it, set NODE_EXTRA_CA_CERTS to the issuer's PEM file and restart.",
    );
  });

  test("the proxy, if there is one, without its password", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    vi.stubEnv("NO_PROXY", "");
    vi.stubEnv("HTTP_PROXY", "http://user:secret@proxy.example.com:3128");
    const message = await messageAt(url);
    expect(message).toContain(
      "(ECONNREFUSED). HTTP_PROXY sends requests through the proxy proxy.example.com:3128. Check the proxy, or add the service to NO_PROXY.",
    );
    expect(message).not.toContain("secret");
    vi.stubEnv("NO_PROXY", "127.0.0.1");
    expect(await messageAt(url)).toContain("(ECONNREFUSED). Is the service running there? Check baseUrl.");
  });
});

test("a wait for an account that times out says which state the account is in", async () => {
  const { svc } = emulated();
  const config = (await svc.authConfigs.list({ toolkit_slug: "github" })).items[0];
  const { connected_account_id: id } = await svc.connectedAccounts.link({
    auth_config_id: config?.id ?? "",
    user_id: "user-new",
  });
  const error = await rejectionOf(TimeoutError, svc.connectedAccounts.waitUntilActive(id, { deadlineMs: 1_000 }));
  expect(error.message).toBe(
    `connectedAccounts.waitUntilActive: no result within deadlineMs (1000 ms): ${id} is INITIALIZING. The user hasn't opened the hosted page yet. Tried 2 times.`,
  );
  expect(error.stack).toContain(error.message);
  expect(error.cause).toBeInstanceOf(ConnectionStateError);
});

describe("an error about a call that wasn't sent", () => {
  const svc = new Svc({ baseUrl: createEmulator().connection.baseUrl, env: {} });

  async function callOfTheUser(): Promise<void> {
    await svc.tools.get("GITHUB_CREATE_AN_ISSUE");
  }

  async function listOfTheUser(): Promise<void> {
    for await (const tool of svc.tools.list()) expect(tool).toBeUndefined();
  }

  test.each([callOfTheUser, listOfTheUser])("has the caller's frame near the top of its stack: %o", async (run) => {
    const error = await rejectionOf(MissingCredentialError, run());
    const [first, ...frames] = String(error.stack).split(/\n\s+at /);
    expect(first).toBe(`MissingCredentialError: ${error.message}`);
    expect(frames.slice(0, 5).join("\n")).toContain(run.name);
  });

  test("keeps its stack if a middleware waited first", async () => {
    const waiting = new Svc({
      baseUrl: "http://127.0.0.1:1",
      env: {},
      use: [
        async (_, next) => {
          await Promise.resolve();
          return next();
        },
      ],
    });
    const { stack } = await rejectionOf(MissingCredentialError, waiting.tools.list());
    expect(stack).toMatch(/\n\s+at /);
  });
});
