import { afterEach, describe, expect, test, vi } from "vitest";
import { ConfigError, Svc, type SvcOptions } from "../../../src/index.js";

type Variables = Readonly<Record<string, string>>;

const VARIABLES = ["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy", "NODE_USE_ENV_PROXY", "NODE_OPTIONS"];

/** What a process with these variables says of a client with these options. */
function clientIn(variables: Variables, options: SvcOptions, flags: readonly string[] = []): string {
  for (const name of VARIABLES) vi.stubEnv(name, variables[name]);
  const { execArgv } = process;
  process.execArgv = [...execArgv, ...flags];
  try {
    new Svc({ apiKey: "ak_secret", env: {}, ...options });
    return "made";
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  } finally {
    process.execArgv = execArgv;
  }
}

afterEach(() => {
  vi.unstubAllEnvs();
});

const local = { baseUrl: "http://127.0.0.1:4747" };
const proxied = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://proxy.example.com:3128" };
const { HTTP_PROXY } = proxied;

describe("a plain-http URL of this machine with a proxy in the environment", () => {
  test.each([
    ["http://127.0.0.1:4747", "127.0.0.1"],
    ["http://localhost:4747", "localhost"],
    ["http://app.localhost", "app.localhost"],
    ["http://[::1]:4747", "[::1]"],
  ])("is rejected: %s", (baseUrl, host) => {
    expect(clientIn(proxied, { baseUrl })).toBe(
      `new Svc(): baseUrl is on this machine, but HTTP_PROXY sends its requests, including keys, to a proxy. Add ${host} to NO_PROXY. ` +
        "allowInsecureHttp: true or SVC_ALLOW_INSECURE_HTTP=true overrides this.",
    );
  });

  test("is rejected if Node was started with the flag, or has it in its options", () => {
    const variables = { http_proxy: HTTP_PROXY };
    expect(clientIn(variables, local, ["--inspect", "--use-env-proxy"])).toContain("but http_proxy sends");
    expect(clientIn({ ...variables, NODE_OPTIONS: "--inspect --use-env-proxy" }, local)).toContain("but http_proxy");
    expect(clientIn({ ...variables, NODE_OPTIONS: "--inspect" }, local, ["--inspect"])).toBe("made");
  });

  test.each([
    "127.0.0.1",
    "localhost,127.0.0.1",
    "localhost\t127.0.0.1",
    "*",
    "127.0.0.1:4747",
    ".0.0.1",
    "*.0.0.1",
    "a 127.0.0.1",
  ])("is accepted with NO_PROXY %s", (NO_PROXY) => {
    expect(clientIn({ ...proxied, NO_PROXY }, local)).toBe("made");
    expect(clientIn({ ...proxied, no_proxy: NO_PROXY }, local)).toBe("made");
  });

  test.each([
    ["http://localhost", "LOCALHOST"],
    ["http://localhost", "localhost:80"],
    ["http://[::1]:4747", "::1"],
    ["http://[::1]:4747", "[::1]"],
    ["http://[::1]:4747", "[::1]:4747"],
    ["http://app.localhost", "*.localhost"],
  ])("%s is accepted with NO_PROXY %s", (baseUrl, NO_PROXY) => {
    expect(clientIn({ ...proxied, NO_PROXY }, { baseUrl })).toBe("made");
  });

  test.each(["localhost", "127.0.0.1:1", "127.0.0.1:80", "0.0.1", "127.0.0.10", "x127.0.0.1", "*.0", "a*.0.0.1"])(
    "isn't excepted by NO_PROXY %s",
    (NO_PROXY) => {
      expect(clientIn({ ...proxied, NO_PROXY }, local)).toContain("NO_PROXY");
    },
  );

  test("is excepted by no_proxy rather than by NO_PROXY, as in Node", () => {
    expect(clientIn({ ...proxied, NO_PROXY: "*", no_proxy: "localhost" }, local)).toContain("NO_PROXY");
  });

  test("is accepted if the runtime doesn't use the variable, or the program says so", () => {
    expect(clientIn({ HTTP_PROXY }, local)).toBe("made");
    expect(clientIn({ HTTP_PROXY, NODE_USE_ENV_PROXY: "0" }, local)).toBe("made");
    expect(clientIn({ NODE_USE_ENV_PROXY: "1" }, local)).toBe("made");
    expect(clientIn(proxied, { ...local, allowInsecureHttp: true })).toBe("made");
    expect(clientIn(proxied, { ...local, fetch: async () => new Response() })).toBe("made");
    expect(clientIn(proxied, { baseUrl: "https://localhost" })).toBe("made");
  });
});
