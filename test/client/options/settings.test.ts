import { afterEach, describe, expect, test, vi } from "vitest";
import { ConfigError, logCalls, ServerError, Svc, type SvcOptions } from "../../../src/index.js";
import { rejectionOf, send } from "../../support/client.js";
import { fakeClock } from "../../support/clock.js";
import { failure, scriptedFetch } from "../../support/scripted-fetch.js";

const baseUrl = "https://api.example.com";

const OVER_PLAIN_HTTP =
  "must be https: over plain http, others can read the key. allowInsecureHttp: true or SVC_ALLOW_INSECURE_HTTP=true overrides this.";

/** What the client says about its options; nothing if the client can be created. */
function complaint(options: object): string | undefined {
  try {
    // What a JavaScript program may hand over, whatever the types say.
    new Svc({ env: {}, ...options } as SvcOptions);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replace("new Svc(): ", "");
    throw error;
  }
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("an invalid URL", () => {
  test.each([
    ["nowhere", "must be a URL like https://api.example.com, not this string."],
    ["ftp://api.example.com", "must be a URL like https://api.example.com, not a URL that starts with ftp:."],
    ["svc.test", 'must be a URL like https://api.example.com, not "svc.test". Did you mean https://svc.test?'],
    [
      "localhost:4747/api",
      'must be a URL like https://api.example.com, not "localhost:4747/api". Did you mean http://localhost:4747/api?',
    ],
    ...["ak_1234567890", "ftp://uak_123", "https://ak_1234567890", "https://api.example.com/oak_12", "whsec_123"].map(
      (secret) => [
        secret,
        "contains a key or a secret. Pass a key as apiKey, and a URL like https://api.example.com as baseUrl.",
      ],
    ),
    ["ftp://2f9cS3cr3t", "must be a URL like https://api.example.com, not a URL that starts with ftp:."],
    ["ftp://user:pass@api.example.com", "must be a URL like https://api.example.com, not a URL that starts with ftp:."],
    ["s3cr3t:2f9c", "must be a URL like https://api.example.com, not this string."],
    ["eyJhbGciOi.eyJzdWIiOi.c2lnbmF0", "must be a URL like https://api.example.com, not this string."],
    ["/2f9cS3cr3t", "must be a URL like https://api.example.com, not this string."],
    [
      '"https://api.example.com"',
      "must be a URL like https://api.example.com, not a string in quotes, which some environment files keep: remove them.",
    ],
    [
      "10.0.0.1:8080",
      'must be a URL like https://api.example.com, not "10.0.0.1:8080". Did you mean https://10.0.0.1:8080?',
    ],
    ["http://notlocalhost", OVER_PLAIN_HTTP],
    ["http://localhost.example.com", OVER_PLAIN_HTTP],
    ["http://127.example.com", OVER_PLAIN_HTTP],
    ["https://user@api.example.com", "must not contain a user name, password, query or fragment."],
    ["https://:pass@api.example.com", "must not contain a user name, password, query or fragment."],
    ["https://api.example.com/?a=1", "must not contain a user name, password, query or fragment."],
    ["https://api.example.com/#a", "must not contain a user name, password, query or fragment."],
    ["https://api.example.com/x/api/v3.1//", "must not contain the API prefix. Remove /api/v3.1; the client adds it."],
    ["https://api.example.com/api/", "must not contain the API prefix. Remove /api; the client adds it."],
    ["http://api.example.com", OVER_PLAIN_HTTP],
  ])("is reported by the name of its option or variable: %s", (address, problem) => {
    expect(complaint({ baseUrl: address })).toBe(`baseUrl ${problem}`);
    expect(complaint({ env: { SVC_BASE_URL: address } })).toBe(`SVC_BASE_URL ${problem}`);
  });

  test.each([undefined, ""])("is reported as missing if it's %j", (address) => {
    const missing = "No base URL. Pass baseUrl or set SVC_BASE_URL. (`npx svc-sdk emulator` starts a local service.)";
    expect(complaint({ baseUrl: address })).toBe(missing);
    expect(complaint({ env: { SVC_BASE_URL: address } })).toBe(missing);
  });

  test.each([0, "", false])("isn't read from the process if env is %j", (environment) => {
    vi.stubEnv("SVC_BASE_URL", baseUrl);
    expect(complaint({ env: environment } as object)).toMatch(/^(No base URL|env )/);
  });

  test.each([
    "http://127.0.0.1",
    "http://127.10.200.1:4747",
    "http://localhost",
    "http://app.localhost",
    "http://[::1]",
  ])("may be plain http on this machine: %s", (address) => {
    expect(complaint({ baseUrl: address })).toBeUndefined();
  });

  test("may have spaces around it", async () => {
    const fetch = scriptedFetch(Response.json({ ok: true }));
    await send(new Svc({ env: {}, apiKey: "ak", fetch, baseUrl: ` ${baseUrl}\n` }));
    expect(fetch.sent[0]?.url.href).toBe(`${baseUrl}/api/v3.1/probe`);
  });

  test("is read from the process if environment is null", () => {
    vi.stubEnv("SVC_BASE_URL", baseUrl);
    expect(complaint({ env: null })).toBeUndefined();
  });

  test.each(["/apis", "/my-api", "/api/v3/gateway", "/api/latest", "/v3"])("may not end in %s", (path) => {
    expect(complaint({ baseUrl: baseUrl + path })).toBeUndefined();
  });
});

test("a base URL keeps its path, without trailing slashes", async () => {
  const fetch = scriptedFetch(Response.json({ ok: true }));
  await send(new Svc({ env: {}, apiKey: "ak", fetch, baseUrl: "https://example.com/a//b//" }));
  expect(fetch.sent[0]?.url.href).toBe("https://example.com/a//b/api/v3.1/probe");
});

describe("an option with a fixed set of values", () => {
  test.each(["v3", "v3.1", undefined])("accepts %s as apiVersion", (apiVersion) => {
    expect(complaint({ baseUrl, apiVersion })).toBeUndefined();
  });

  test.each(["v2", "3.1", 3, null])("rejects %j as apiVersion", (apiVersion) => {
    expect(complaint({ baseUrl, apiVersion })).toBe('apiVersion must be "v3.1" or "v3".');
  });
});

describe("a key", () => {
  test.each([
    ["apiKey", "SVC_API_KEY"],
    ["userApiKey", "SVC_USER_API_KEY"],
    ["orgApiKey", "SVC_ORG_API_KEY"],
  ])("names the source of an invalid key: %s", (option, variable) => {
    for (const [value, problem] of [
      [" ", "is blank."],
      [7, "must be a string."],
      ["a b", "contains a space or an invalid character."],
    ]) {
      expect(complaint({ baseUrl, [option]: value })).toBe(`${option} ${problem}`);
      expect(complaint({ baseUrl, env: { [variable]: value } })).toBe(`${variable} ${problem}`);
    }
    // Blank, it is a mistake as an option, and not set as a variable.
    expect(complaint({ baseUrl, [option]: "" })).toBe(`${option} is blank.`);
    expect(complaint({ baseUrl, env: { [variable]: "" } })).toBeUndefined();
  });

  test("rejects null as a key", () => {
    expect(complaint({ baseUrl, env: { SVC_API_KEY: null } })).toBe("SVC_API_KEY must be a string.");
  });
});

describe("versions", () => {
  test.each([null, "latest", 1, ["latest"]])("rejects %j as a set of versions", (versions) => {
    for (const option of ["toolVersions", "toolkitVersions"]) {
      expect(complaint({ baseUrl, [option]: versions })).toBe(
        `${option} must be an object with a version for each slug.`,
      );
    }
  });

  test("reports each invalid version", () => {
    expect(complaint({ baseUrl, toolVersions: { A: "1", B: "latest", C: 2 } })).toBe(
      'toolVersions.A must be "latest" or look like "20251023_00". toolVersions.C must be "latest" or look like "20251023_00".',
    );
  });
});

describe("the environment", () => {
  test("is the process's by default", async () => {
    vi.stubEnv("SVC_BASE_URL", "https://process.example.com");
    vi.stubEnv("SVC_API_KEY", "ak_process");
    const fetch = scriptedFetch(Response.json({ ok: true }));
    await send(new Svc({ fetch }));
    expect(fetch.sent[0]?.url.origin).toBe("https://process.example.com");
    expect(fetch.sent[0]?.headers.get("x-api-key")).toBe("ak_process");
    vi.stubEnv("SVC_LOG", "loud");
    expect(() => logCalls()).toThrow("logCalls: SVC_LOG must be one of off, warn, info, debug.");
    vi.stubEnv("SVC_LOG", "");
    expect(() => logCalls()).not.toThrow();
    for (const level of ["loud", ""]) {
      // What a JavaScript program may hand over.
      expect(() => logCalls({ level: level as "off" })).toThrow(
        "logCalls: level must be one of off, warn, info, debug.",
      );
    }
  });

  test("isn't the process's if the client got another one", () => {
    vi.stubEnv("SVC_BASE_URL", "https://process.example.com");
    expect(complaint({})).toContain("No base URL");
  });
});

test("retries a failed call twice by default, and waits up to a minute", async () => {
  const clock = fakeClock();
  const fetch = scriptedFetch(failure(503, {}, { "retry-after": "60" }));
  const svc = new Svc({ baseUrl, apiKey: "ak", env: {}, fetch, clock });
  expect(await rejectionOf(ServerError, send(svc))).toMatchObject({ attempts: 3 });
  expect(clock.slept).toEqual([60_000, 60_000]);
});

test("reads a base URL of any length in linear time", () => {
  const slashes = "/".repeat(400_000);
  expect(complaint({ baseUrl: `https://api.example.com${slashes}x${slashes}` })).toBeUndefined();
  expect(complaint({ baseUrl: `https://api.example.com/api${slashes}` })).toMatch(
    /must not contain the API prefix.{1,200}$/,
  );
});
