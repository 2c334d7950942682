import { describe, expect, test } from "vitest";
import { createEmulator } from "../../../src/emulator/index.js";
import { ConfigError, Svc, type SvcOptions } from "../../../src/index.js";
import { clientOf } from "../../support/client.js";
import { scriptedFetch } from "../../support/scripted-fetch.js";

const good = { baseUrl: "https://api.example.com", apiKey: "ak_1", env: {} };

const now = () => 0;

/** What the client says about options that are wrong. */
function complaint(options: unknown): string {
  try {
    // The tests hand over what a JavaScript program may, whatever the types say.
    new Svc(options as SvcOptions);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "nothing is wrong";
}

describe("options and environment", () => {
  test("URL and keys are read from the environment if no option is passed", async () => {
    const fetch = scriptedFetch(Response.json({}));
    const environment = {
      SVC_BASE_URL: "https://from.example.com",
      SVC_API_KEY: "ak_env",
      SVC_USER_API_KEY: "uak_env",
      SVC_ORG_API_KEY: "oak_env",
    };
    const svc = new Svc({ env: environment, fetch });
    await svc.authConfigs.get("ac_1");
    await svc.session.info();
    await new Svc({ env: { ...environment, SVC_USER_API_KEY: "" }, fetch }).session.info();
    expect(fetch.sent[0]?.url.origin).toBe("https://from.example.com");
    expect(fetch.sent[0]?.headers.get("x-api-key")).toBe("ak_env");
    expect(fetch.sent[1]?.headers.get("x-user-api-key")).toBe("uak_env");
    expect(fetch.sent[2]?.headers.get("x-org-api-key")).toBe("oak_env");
  });

  test("options override environment variables", async () => {
    const fetch = scriptedFetch(Response.json({}));
    const environment = { SVC_BASE_URL: "https://from.example.com", SVC_API_KEY: "ak_env" };
    await new Svc({ env: environment, fetch, baseUrl: "https://api.example.com", apiKey: "ak_option" }).authConfigs.get(
      "ac_1",
    );
    expect(fetch.sent[0]?.url.origin).toBe("https://api.example.com");
    expect(fetch.sent[0]?.headers.get("x-api-key")).toBe("ak_option");
  });

  test("the session cookie has no variable", () => {
    expect(complaint({ baseUrl: good.baseUrl, env: { SVC_SESSION_COOKIE: "two\nlines" } })).toBe("nothing is wrong");
  });

  test("treats an empty environment variable as unset", () => {
    expect(complaint({ ...good, env: { SVC_ORG_API_KEY: "" } })).toBe("nothing is wrong");
    expect(complaint({ env: { SVC_BASE_URL: "" } })).toContain("Pass baseUrl or set SVC_BASE_URL");
  });

  test("trims keys and URL", async () => {
    const fetch = scriptedFetch(Response.json({}));
    await new Svc({
      env: {},
      fetch,
      baseUrl: " https://api.example.com/\n",
      apiKey: "\tak_1\r\n",
    }).authConfigs.get("ac_1");
    expect(fetch.sent[0]?.url.href).toBe("https://api.example.com/api/v3/auth_configs/ac_1");
    expect(fetch.sent[0]?.headers.get("x-api-key")).toBe("ak_1");
  });

  test("the error for a missing URL says how to pass one, including a local service's", () => {
    const message = complaint({ apiKey: "ak_1" });
    expect(message).toContain("Pass baseUrl or set SVC_BASE_URL");
    expect(message).toContain("svc-sdk emulator");
  });

  test("accepts a client without a key, because some calls need none", () => {
    expect(complaint({ baseUrl: good.baseUrl })).toBe("nothing is wrong");
  });

  test("one error lists every problem", () => {
    const message = complaint({
      apikey: "ak_1",
      userApiKey: "",
      baseUrl: "http://api.example.com/api/v3?x=1",
      apiVersion: "v2",
      timeoutMs: 0,
      maxRetries: 1.5,
      fetch: "fetch",
      headers: { "x-api-key": "ak_1" },
      toolVersions: { A_TOOL: "1.0" },
      toolkitVersions: { github: "newest" },
      env: { SVC_ORG_API_KEY: "oak 1" },
    });
    for (const part of [
      "Unknown option apikey. Did you mean apiKey?",
      "userApiKey is blank.",
      "SVC_ORG_API_KEY contains a space",
      "baseUrl must not contain a user name, password, query or fragment.",
      "baseUrl must not contain the API prefix",
      "baseUrl must be https",
      'apiVersion must be "v3.1" or "v3".',
      "timeoutMs must be a number from 1 to",
      "maxRetries must be an integer from 0 to",
      "fetch must be a function.",
      "headers must not set x-api-key",
      'toolVersions.A_TOOL must be "latest" or look like',
      'toolkitVersions.github must be "latest" or look like',
    ]) {
      expect(message).toContain(part);
    }
  });

  test.each([
    ["apikey", "apiKey"],
    ["api_key", "apiKey"],
    ["APIKEY", "apiKey"],
    ["base_url", "baseUrl"],
    ["baseURL", "baseUrl"],
    ["user_api_key", "userApiKey"],
    ["timeoutms", "timeoutMs"],
    ["toolkit_versions", "toolkitVersions"],
  ])("rejects the misspelled option %s and suggests %s", (misspelt, meant) => {
    expect(complaint({ ...good, [misspelt]: "x" })).toContain(`Unknown option ${misspelt}. Did you mean ${meant}?`);
  });

  test.each<[string, unknown]>([
    ["a key", "ak_secret"],
    ["null", null],
    ["a function", () => good],
    ["a promise", Promise.resolve(good)],
    ["a list", [good]],
    ["a map", new Map(Object.entries(good))],
  ])("rejects %s instead of options, whatever the environment has", (_, options) => {
    const environment = { SVC_BASE_URL: "https://production.example" };
    const problem =
      options === "ak_secret"
        ? "the options must be an object. Pass a key as new Svc({ apiKey })."
        : "the options must be an object, such as { apiKey }. If you passed a promise, await it.";
    expect(complaint(options)).toBe(`new Svc(): ${problem}`);
    expect(complaint({ ...good, env: environment })).toBe("nothing is wrong");
  });

  test("accepts a module, or an object with its own prototype", () => {
    const prototype = { maxRetries: 0, [Symbol.toStringTag]: "Config" };
    expect(complaint(Object.assign(Object.create(prototype), good))).toBe("nothing is wrong");
    expect(complaint(Object.assign(Object.create(null, { [Symbol.toStringTag]: { value: "Module" } }), good))).toBe(
      "nothing is wrong",
    );
  });

  test("rejects an emulator instead of options, and suggests its connection", () => {
    expect(complaint(createEmulator())).toBe("new Svc(): pass emulator.connection, not the emulator.");
  });

  test("accepts any object as the environment, such as the bindings of a Worker", () => {
    interface Bindings {
      SVC_BASE_URL: string;
      QUEUE: { send(): void };
    }
    const environment: Bindings = { SVC_BASE_URL: "https://api.example.com", QUEUE: { send: () => undefined } };
    expect(new Svc({ env: environment })).toBeInstanceOf(Svc);
  });

  test("rejects an option unlike any other, and lists the options", () => {
    expect(complaint({ ...good, retries: 3 })).toBe(
      "new Svc(): Unknown option retries. The options are apiKey, userApiKey, orgApiKey, sessionCookie, baseUrl, " +
        "apiVersion, toolVersions, toolkitVersions, timeoutMs, deadlineMs, maxRetries, maxRetryDelayMs, " +
        "sharedRateLimit, maxBodyBytes, headers, fetch, clock, allowInsecureHttp, use, env.",
    );
  });

  test.each<[keyof SvcOptions, string, object]>([
    ["fetch", "a function.", {}],
    ["clock", "an object with now(), monotonic(), sleep(), random().", { now, monotonic: now, sleep: now }],
    [
      "sharedRateLimit",
      "redisRateLimit() or sharedRateLimit() from svc-sdk/stores, or an object with open().",
      { read: now },
    ],
    ["use", "an array of functions.", [{}]],
  ])("rejects %s of the wrong type when the client is created, not when it is used", (option, kind, half) => {
    const refusal = `new Svc(): ${option} must be ${kind}`;
    for (const wrong of ["thorw", 7, null, half]) expect(complaint({ ...good, [option]: wrong })).toBe(refusal);
  });
});

describe("keys", () => {
  test.each([
    ["a line break", "ak_secret\nSVC_OTHER=1", "contains a line break"],
    ["a carriage return", "ak_secret\rx", "contains a line break"],
    ["quotes around it", '"ak_secret"', "is in quotes"],
    ["a space", "ak_secret x", "contains a space or an invalid character"],
    ["a backslash", "ak_secret\\n", "contains a space or an invalid character"],
    ["a NUL", "ak_secret\0", "contains a space or an invalid character"],
    ["a letter outside ASCII", "ak_sécret", "contains a space or an invalid character"],
    ["nothing but blanks", " \n", "is blank"],
    ["a number", 4711, "must be a string"],
    ["single quotes around it", "'ak_secret'", "is in quotes"],
  ])("rejects a key that contains %s, without quoting it", (_, apiKey, problem) => {
    const message = complaint({ ...good, apiKey });
    expect(message).toContain(`apiKey ${problem}`);
    expect(message).not.toMatch(/secret|sécret|4711|SVC_OTHER/);
  });

  test.each([
    ["at its end only", 'ak_"1"'],
    ["at its beginning only", '"1"ak'],
    ["of two kinds", "\"ak'"],
  ])("accepts a key with quotes %s", (_, apiKey) => {
    expect(complaint({ ...good, apiKey })).toBe("nothing is wrong");
  });

  test("names an invalid variable without quoting its value", () => {
    const message = complaint({ baseUrl: good.baseUrl, env: { SVC_API_KEY: "ak_secret\nx" } });
    expect(message).toContain("SVC_API_KEY contains a line break");
    expect(message).not.toContain("ak_secret");
  });
});

describe("the base URL", () => {
  test.each([
    ["https://api.example.com", "https://api.example.com"],
    ["https://api.example.com/", "https://api.example.com"],
    ["https://api.example.com:8443//", "https://api.example.com:8443"],
    ["https://example.com/gateway/", "https://example.com/gateway"],
    ["http://localhost:4000", "http://localhost:4000"],
    ["http://svc.localhost", "http://svc.localhost"],
    ["http://127.0.0.1:1", "http://127.0.0.1:1"],
    ["http://127.8.9.1", "http://127.8.9.1"],
    ["http://[::1]:4000", "http://[::1]:4000"],
  ])("accepts %s", async (baseUrl, base) => {
    const fetch = scriptedFetch(Response.json({}));
    await clientOf(fetch, { baseUrl }).authConfigs.get("ac_1");
    expect(fetch.sent[0]?.url.href).toBe(`${base}/api/v3/auth_configs/ac_1`);
  });

  test.each([
    ["http://api.example.com", "must be https"],
    ["http://127.0.0.1.example.com", "must be https"],
    ["http://localhost.example.com", "must be https"],
    ["ftp://api.example.com", "must be a URL like"],
    ["javascript:alert(1)", "must be a URL like"],
    ["api.example.com", "must be a URL like"],
    ["   ", "must be a URL like"],
    [42, "must be a URL like"],
    ["https://user:pass@api.example.com", "must not contain a user name, password, query or fragment"],
    ["https://api.example.com?tenant=1", "must not contain a user name, password, query or fragment"],
    ["https://api.example.com#x", "must not contain a user name, password, query or fragment"],
    ["https://api.example.com/api/v3.1", "Remove /api/v3.1"],
    ["https://api.example.com/api/v3/", "Remove /api/v3;"],
    ["https://api.example.com/api", "Remove /api"],
  ])("rejects %s", (baseUrl, problem) => {
    expect(complaint({ ...good, baseUrl })).toContain(problem);
  });

  test("plain http to another host needs allowInsecureHttp: true, not merely a truthy value", () => {
    const baseUrl = "http://10.0.0.5:4000";
    expect(complaint({ ...good, baseUrl })).toContain(
      "allowInsecureHttp: true or SVC_ALLOW_INSECURE_HTTP=true overrides this",
    );
    expect(complaint({ ...good, baseUrl, allowInsecureHttp: "true" })).toContain("must be https");
    expect(complaint({ ...good, baseUrl, allowInsecureHttp: true })).toBe("nothing is wrong");
    for (const [value, problem] of [
      ["true", "nothing is wrong"],
      ["1", "must be https"],
      ["false", "must be https"],
    ] as const) {
      const environment = { SVC_ALLOW_INSECURE_HTTP: value };
      expect(complaint({ ...good, baseUrl, env: environment })).toContain(problem);
      expect(complaint({ ...good, baseUrl, env: environment, allowInsecureHttp: false })).toContain("must be https");
    }
  });

  test("doesn't quote a password in the URL", () => {
    expect(complaint({ ...good, baseUrl: "https://user:hunter2@api.example.com" })).not.toContain("hunter2");
  });
});

describe("numbers and versions", () => {
  const most = 2 ** 31 - 1;
  test.each([
    ["timeoutMs", [0, -1, Number.NaN, Number.POSITIVE_INFINITY, most + 1, "60", null], [1, 1.5, 300_000]],
    ["deadlineMs", [0, -1, Number.NaN, Number.POSITIVE_INFINITY, most + 1, "60"], [1, most]],
    ["maxRetries", [-1, 1.5, 101, Number.NaN, Number.POSITIVE_INFINITY, "2"], [0, 2, 100]],
    ["maxRetryDelayMs", [-1, Number.NaN, most + 1], [0, most]],
    ["maxBodyBytes", [0, 1.5, Number.POSITIVE_INFINITY], [1, Number.MAX_SAFE_INTEGER]],
  ])("rejects %s out of range, and names the range", (option, wrong, right) => {
    for (const value of wrong) expect(complaint({ ...good, [option]: value })).toContain(`${option} must be a`);
    for (const value of right) expect(complaint({ ...good, [option]: value })).toBe("nothing is wrong");
  });

  test("versions are for slugs as the service writes them: tools in capitals, toolkits without", () => {
    const toolVersions = { github_create_an_issue: "latest" };
    const toolkitVersions = { GitHub: "latest", slack: "latest" };
    expect(complaint({ ...good, toolVersions, toolkitVersions })).toBe(
      "new Svc(): toolVersions.github_create_an_issue must be named GITHUB_CREATE_AN_ISSUE. " +
        "toolkitVersions.GitHub must be named github.",
    );
  });

  test.each(["latest", "20251023_00", "00000000_00"])("%s is a tool version", (version) => {
    expect(complaint({ ...good, toolVersions: { A: version }, toolkitVersions: { a: version } })).toBe(
      "nothing is wrong",
    );
  });

  test.each([
    "",
    "Latest",
    "20251023",
    "20251023_0",
    "20251023_000",
    "v3",
    " latest",
    20251023,
    ["latest"],
    null,
    undefined,
  ])("%j isn't a tool version", (version) => {
    expect(complaint({ ...good, toolVersions: { A_TOOL: version } })).toContain(
      'toolVersions.A_TOOL must be "latest" or look like',
    );
    expect(complaint({ ...good, toolkitVersions: { a: version } })).toContain(
      'toolkitVersions.a must be "latest" or look like',
    );
  });

  const mapped = new Map([["github", "20251023_00"]]);
  test.each(["20251023_00", [{ github: "20251023_00" }], mapped, null, 1])(
    "rejects %s as a set of versions",
    (versions) => {
      expect(complaint({ ...good, toolkitVersions: versions })).toBe(
        "new Svc(): toolkitVersions must be an object with a version for each slug.",
      );
    },
  );
});

describe("headers", () => {
  test("sends headers of client and call; the call's override, whatever the case", async () => {
    const fetch = scriptedFetch(Response.json({}));
    const svc = clientOf(fetch, { headers: { "X-Team": "blue", "X-Source": "client" } });
    await svc.authConfigs.get("ac_1", { headers: { "x-source": "call" } });
    expect(fetch.sent[0]?.headers.get("x-team")).toBe("blue");
    expect(fetch.sent[0]?.headers.get("x-source")).toBe("call");
  });

  test("reads the client's headers once, so later changes of the object have no effect", async () => {
    const fetch = scriptedFetch(Response.json({}));
    const headers: Record<string, string> = { "x-team": "blue" };
    const svc = clientOf(fetch, { headers });
    headers["x-team"] = "red";
    await svc.authConfigs.get("ac_1");
    expect(fetch.sent[0]?.headers.get("x-team")).toBe("blue");
  });

  test.each([
    [{ "x-team": "two\r\nlines" }, "headers.x-team must be a string without line breaks"],
    [{ "x-team": 1 }, "headers.x-team must be a string"],
    [{ "x team": "blue" }, "an invalid header name"],
    [new Headers({ a: "b" }), "headers must be a plain object"],
    [[["a", "b"]], "headers must be a plain object"],
    [null, "headers must be a plain object"],
    ["a: b", "headers must be a plain object"],
    [{ Host: "evil.example" }, "headers must not set Host"],
    [{ "content-length": "1" }, "headers must not set content-length"],
    [{ "content-type": "text/plain" }, "headers must not set content-type"],
    [{ "Transfer-Encoding": "chunked" }, "headers must not set Transfer-Encoding"],
    [{ expect: "100-continue" }, "headers must not set expect"],
  ])("%j is rejected", (headers, problem) => {
    expect(complaint({ ...good, headers })).toContain(problem);
  });

  test("doesn't quote the value of a rejected header", () => {
    expect(complaint({ ...good, headers: { "x-team": "hunter2\n" } })).not.toContain("hunter2");
  });
});
