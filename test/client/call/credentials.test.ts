import { describe, expect, test } from "vitest";
import {
  ConfigError,
  type CredentialKind,
  endpoint,
  MissingCredentialError,
  Svc,
  type SvcOptions,
  typed,
  ValidationError,
} from "../../../src/index.js";
import { clientOf, emulated, rejectionOf } from "../../support/client.js";
import { scriptedFetch } from "../../support/scripted-fetch.js";

const HEADERS = {
  apiKey: "x-api-key",
  userApiKey: "x-user-api-key",
  orgApiKey: "x-org-api-key",
  sessionCookie: "cookie",
};
const KINDS: readonly CredentialKind[] = ["apiKey", "userApiKey", "orgApiKey", "sessionCookie"];
const VALUES = { apiKey: "ak_1", userApiKey: "uak_1", orgApiKey: "oak_1", sessionCookie: "cookie_1" };

/** A client that holds these credentials and no others. */
function clientWith(fetch: ReturnType<typeof scriptedFetch>, kinds: readonly CredentialKind[]): Svc {
  const held: SvcOptions = Object.fromEntries(kinds.map((kind) => [kind, VALUES[kind]]));
  return new Svc({ baseUrl: "https://api.example.com", env: {}, fetch, ...held });
}

/** The credential headers of a request, as `name: value`. */
function credentialsIn(headers: Headers | undefined): string[] {
  return Object.values(HEADERS).flatMap((name) => (headers?.has(name) ? [`${name}: ${headers.get(name)}`] : []));
}

const calls: Readonly<Record<string, (svc: Svc) => PromiseLike<unknown>>> = {
  "session.info": (svc) => svc.session.info(),
  "authConfigs.create": (svc) => svc.authConfigs.create({ toolkit: { slug: "github" } }),
  "authConfigs.list": (svc) => svc.authConfigs.list(),
  "authConfigs.get": (svc) => svc.authConfigs.get("ac_1"),
  "authConfigs.update": (svc) => svc.authConfigs.update("ac_1", { type: "default", name: "n" }),
  "authConfigs.delete": (svc) => svc.authConfigs.delete("ac_1"),
  "authConfigs.setStatus": (svc) => svc.authConfigs.enable("ac_1"),
  "toolkits.list": (svc) => svc.toolkits.list(),
  "toolkits.get": (svc) => svc.toolkits.get("github"),
  "toolkits.listCategories": (svc) => svc.toolkits.listCategories(),
  "tools.list": (svc) => svc.tools.list(),
  "tools.get": (svc) => svc.tools.get("A_TOOL"),
  "tools.execute": (svc) => svc.tools.execute("A_TOOL", { version: "latest", arguments: {} }),
  "tools.generateArguments": (svc) => svc.tools.generateArguments("A_TOOL", { text: "t" }),
  "tools.proxy": (svc) => svc.tools.proxy({ endpoint: "/x", method: "GET" }),
  "tools.getRequiredScopes": (svc) => svc.tools.getRequiredScopes({ tools: ["A_TOOL"] }),
  "integrations.update": (svc) => svc.integrations.update("i_1", { enabled: true }),
};

// Spec: Authentication. What each operation takes, most fitting first.
const projectOnly: readonly CredentialKind[] = ["apiKey"];
const projectOrUser: readonly CredentialKind[] = ["apiKey", "userApiKey"];
const accepted: Readonly<Record<string, readonly CredentialKind[]>> = {
  "session.info": ["userApiKey", "orgApiKey", "sessionCookie"],
  "authConfigs.create": projectOrUser,
  "authConfigs.list": projectOrUser,
  "authConfigs.get": projectOrUser,
  "authConfigs.update": projectOrUser,
  "authConfigs.delete": projectOrUser,
  "authConfigs.setStatus": projectOnly,
  "toolkits.list": projectOrUser,
  "toolkits.get": projectOrUser,
  "toolkits.listCategories": projectOnly,
  "tools.list": projectOrUser,
  "tools.get": projectOrUser,
  "tools.execute": projectOrUser,
  "tools.generateArguments": projectOnly,
  "tools.proxy": projectOnly,
  "tools.getRequiredScopes": projectOnly,
  "integrations.update": projectOnly,
};

describe("exactly one credential goes with a request", () => {
  test.each(Object.keys(calls))("%s sends only the first accepted credential that the client has", async (name) => {
    const kinds = accepted[name] ?? [];
    for (let first = 0; first < kinds.length; first += 1) {
      const fetch = scriptedFetch(Response.json({}));
      // All kinds but the ones that would come before.
      const held = KINDS.filter((kind) => !kinds.slice(0, first).includes(kind));
      await calls[name]?.(clientWith(fetch, held));
      const kind = kinds[first] ?? "apiKey";
      const value = kind === "sessionCookie" ? `authToken=${VALUES[kind]}` : VALUES[kind];
      expect(credentialsIn(fetch.sent[0]?.headers)).toEqual([`${HEADERS[kind]}: ${value}`]);
    }
  });

  test.each(Object.keys(calls))("%s without one of its credentials fails before anything is sent", async (name) => {
    const fetch = scriptedFetch(Response.json({}));
    const kinds = accepted[name] ?? [];
    const svc = clientWith(
      fetch,
      KINDS.filter((kind) => !kinds.includes(kind)),
    );
    const call = calls[name]?.(svc) ?? Promise.resolve();
    const error = await rejectionOf(MissingCredentialError, call);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toContain(`${name} needs a credential`);
    for (const kind of kinds) {
      expect(error.message).toContain(`new Svc({ ${kind} })`);
      expect(error.message).toContain(`(sent as ${HEADERS[kind]})`);
    }
    expect(fetch.sent).toEqual([]);
  });

  test("the message of a missing credential names the variables of the kinds that have one", async () => {
    const error = await rejectionOf(MissingCredentialError, clientWith(scriptedFetch(), ["apiKey"]).session.info());
    expect(error.message).toContain("SVC_USER_API_KEY");
    expect(error.message).toContain("SVC_ORG_API_KEY");
    expect(error.message).not.toMatch(/SVC_SESSION|undefined/);
  });

  test("an endpoint without credentials gets none", async () => {
    const fetch = scriptedFetch(Response.json({ ok: true }));
    const health = endpoint({
      name: "health",
      method: "GET",
      path: "/health",
      auth: [],
      retry: "safe",
      response: typed<{ ok: boolean }>(),
    });
    await clientWith(fetch, KINDS).call(health, {});
    expect(credentialsIn(fetch.sent[0]?.headers)).toEqual([]);
    expect(fetch.sent[0]?.url.href).toBe("https://api.example.com/health");
  });

  test("the emulator, which rejects a second credential, accepts a client that has all kinds", async () => {
    const { svc } = emulated({ sessionCookie: "cookie_emulator" });
    expect((await svc.authConfigs.get("ac_github_demo")).id).toBe("ac_github_demo");
    expect((await svc.session.info()).org_member.role).toBe("admin");
  });
});

describe("credentials can't be set as headers", () => {
  const names = ["x-api-key", "X-Api-Key", "x-user-api-key", "X-ORG-API-KEY", "cookie", "Cookie"];

  test.each(names)("%s in a client's headers is rejected", (name) => {
    expect(() => clientOf(scriptedFetch(), { headers: { [name]: "v" } })).toThrow(
      `headers must not set ${name}: the client or the runtime sets it.`,
    );
  });

  test.each(names)("%s in a call's headers is rejected before anything is sent", async (name) => {
    const fetch = scriptedFetch(Response.json({}));
    const call = clientOf(fetch).authConfigs.get("ac_1", { headers: { [name]: "hunter2" } });
    const error = await rejectionOf(ValidationError, call);
    expect(error.message).toBe(`authConfigs.get: headers must not set ${name}: the client or the runtime sets it.`);
    expect(error.outcome).toBe("not_sent");
    expect(fetch.sent).toEqual([]);
  });
});
