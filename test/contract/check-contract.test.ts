import { afterEach, describe, expect, test, vi } from "vitest";
import { type ContractChecker, contract, type MismatchReport } from "../../src/contract/index.js";
import {
  ConflictError,
  ContractMismatchError,
  endpoint,
  MissingCredentialError,
  NotFoundError,
  Svc,
  typed,
  ValidationError,
} from "../../src/index.js";
import { clientOf, emulated, probes, rejectionOf, send } from "../support/client.js";
import { broken, failure, scriptedFetch } from "../support/scripted-fetch.js";
import { sampled } from "../support/size.js";

const misfit = { id: 7, status: null, brand_new: true };
const fitting = { arguments: { a: 1 } };

afterEach(() => {
  vi.restoreAllMocks();
});

/** What the console was given while no one should see it. */
function silenced(method: "warn" | "error") {
  return vi.spyOn(console, method).mockImplementation(() => undefined);
}

describe("a request that doesn't match the contract", () => {
  test.each<[string, (svc: Svc) => PromiseLike<unknown>, string]>([
    ["an unknown query field", (svc) => svc.tools.list({ toolkitSlug: "github" } as object), "query.toolkitSlug"],
    ["a limit over 1000", (svc) => svc.tools.list({ limit: 1001 }), "query.limit"],
    ["a limit of 0", (svc) => svc.tools.list({ limit: 0 }), "query.limit"],
    ["no body field", (svc) => svc.tools.getRequiredScopes({ tools: [] }), "body.tools"],
    ["an empty name", (svc) => svc.authConfigs.update("ac_1", { type: "default", name: "" }), "body.name"],
    [
      "a field of another kind",
      (svc) => svc.tools.execute("A", { version: "latest", user_id: 5 } as object),
      "body.user_id",
    ],
  ])("rejects %s before anything is sent, and names its path", async (_, call, path) => {
    const fetch = scriptedFetch(Response.json({}));
    const error = await rejectionOf(ValidationError, call(clientOf(fetch, { contract })));
    expect(fetch.sent).toEqual([]);
    expect(error.message).toContain(path);
    expect(error.mismatches.map((mismatch) => mismatch.path)).toContain(path);
    expect(error.outcome).toBe("not_sent");
  });

  test("the error names every place and no value", async () => {
    const svc = clientOf(scriptedFetch(Response.json({})), { contract });
    const body = { type: "custom", name: 42, restrict_to_following_tools: "hunter2", extra: "hunter2" } as object;
    const error = await rejectionOf(ValidationError, svc.authConfigs.update("ac_1", body as never));
    expect(error.mismatches.map(({ path }) => path).sort()).toEqual([
      "body.extra",
      "body.name",
      "body.restrict_to_following_tools",
    ]);
    expect(JSON.stringify(error)).not.toContain("hunter2");
  });

  test("without a contract is sent as it is", async () => {
    const fetch = scriptedFetch(Response.json({}));
    await clientOf(fetch).tools.list({ toolkitSlug: "github" } as object);
    expect(fetch.sent[0]?.target).toBe("/api/v3.1/tools?toolkitSlug=github");
  });

  test("is checked as it is sent: with the version that the client adds", async () => {
    const seen: unknown[] = [];
    const checker: ContractChecker = {
      check: (operation, part, value) => {
        seen.push([operation, part, value]);
        return [];
      },
    };
    const svc = clientOf(scriptedFetch(Response.json({ successful: true })), {
      contract: checker,
      toolVersions: { A_TOOL: "latest" },
    });
    await svc.tools.execute("A_TOOL", { arguments: {} });
    expect(seen).toEqual([
      ["tools.execute", "query", undefined],
      ["tools.execute", "body", { arguments: {}, version: "latest" }],
      ["tools.execute", "response", { successful: true }],
    ]);
  });
});

describe("a response that doesn't match the contract", () => {
  const answering = (options = {}) =>
    clientOf(
      scriptedFetch(() => Response.json(misfit)),
      { contract, ...options },
    );

  test("is logged to the console by default, and the call resolves with the received data", async () => {
    const warn = silenced("warn");
    const { data, meta } = await answering().authConfigs.get("ac_1").withResponse();
    expect(data).toEqual(misfit);
    expect(meta.mismatches).toContainEqual({ path: "id", expected: "a string", received: "number" });
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]?.[0]).toMatch(
      /^svc-sdk: authConfigs\.get: the response doesn't match the contract: .*id: expected a string, received number/,
    );
  });

  test("logs nothing else", async () => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    await answering({ logger }).authConfigs.get("ac_1");
    expect(logger.warn).toHaveBeenCalledOnce();
    expect(logger.error).not.toHaveBeenCalled();
  });

  test("is reported once per operation and path", async () => {
    const warn = silenced("warn");
    const svc = answering();
    await svc.authConfigs.get("ac_1");
    await svc.authConfigs.get("ac_2");
    expect(warn).toHaveBeenCalledOnce();
    await svc.toolkits.get("github");
    expect(warn).toHaveBeenCalledTimes(2);
    await answering().authConfigs.get("ac_1");
    expect(warn).toHaveBeenCalledTimes(3);
  });

  test("is rejected if it has more mismatches than can be listed", async () => {
    const page = { items: Array.from({ length: 12_000 }, () => ({})), next_cursor: null, total_items: 1 };
    const fetch = scriptedFetch(() => Response.json(page));
    for (const list of sampled(["tools", "connectedAccounts", "authConfigs"] as const, 3)) {
      const svc = clientOf(fetch, { contract, onMismatch: "throw" });
      const error = await rejectionOf(ContractMismatchError, svc[list].list());
      expect(error.mismatches.length).toBeGreaterThan(0);
    }
  });

  test('rejects with onMismatch: "throw", naming every place and no value', async () => {
    const svc = answering({ onMismatch: "throw" });
    const error = await rejectionOf(ContractMismatchError, svc.authConfigs.get("ac_1"));
    expect(error.operation).toBe("authConfigs.get");
    expect(error.message).toContain("authConfigs.get: succeeded, but the response doesn't match the contract");
    expect(error.mismatches).toEqual(
      expect.arrayContaining([{ path: "status", expected: "a string", received: "null" }]),
    );
  });

  test("is passed to an onMismatch function each time, and the call resolves", async () => {
    const reports: MismatchReport[] = [];
    const svc = answering({ onMismatch: (report: MismatchReport) => reports.push(report) });
    expect(await svc.authConfigs.get("ac_1")).toEqual(misfit);
    await svc.authConfigs.get("ac_1");
    expect(reports).toHaveLength(2);
    expect(reports[0]?.operation).toBe("authConfigs.get");
    expect(reports[0]?.mismatches).toContainEqual({ path: "id", expected: "a string", received: "number" });
  });

  test("the call resolves even if the onMismatch function throws, because it has already run", async () => {
    const shown = silenced("error");
    const onMismatch = () => {
      throw new Error("mine");
    };
    expect(await answering({ onMismatch }).authConfigs.get("ac_1")).toEqual(misfit);
    expect(shown).toHaveBeenCalledWith("svc-sdk: onMismatch threw", expect.objectContaining({ message: "mine" }));
    expect(shown).toHaveBeenCalledOnce();
  });

  test("isn't reported if it only has more fields than the contract", async () => {
    const onMismatch = vi.fn();
    const answer = { ...fitting, error: null, brand_new: { deep: true } };
    const svc = clientOf(scriptedFetch(Response.json(answer)), { contract, onMismatch });
    expect(await svc.tools.generateArguments("A", { text: "t" })).toEqual(answer);
    expect(onMismatch).not.toHaveBeenCalled();
  });

  test("without a contract isn't checked", async () => {
    const warn = silenced("warn");
    const { meta } = await clientOf(scriptedFetch(Response.json(misfit)))
      .authConfigs.get("ac_1")
      .withResponse();
    expect(meta.mismatches).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
  });
});

test("the data is the received object itself, the one that was checked, and not a copy", async () => {
  let checked: unknown;
  const checker: ContractChecker = {
    check: (_, part, value) => {
      if (part === "response") checked = value;
      return [];
    },
  };
  const call = clientOf(scriptedFetch(Response.json(fitting)), { contract: checker }).tools.generateArguments("A", {
    text: "t",
  });
  const { data } = await call.withResponse();
  expect(data).toBe(checked);
  expect(await call).toBe(data);
});

test("a contract that throws changes no call", async () => {
  const shown = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const contract = {
    check: () => {
      throw new Error("mine");
    },
  };
  const svc = clientOf(scriptedFetch(Response.json({ ok: true })), { contract, onMismatch: "throw" });
  expect(await send(svc, "effect")).toEqual({ ok: true });
  expect(shown.mock.calls).toEqual([
    ["svc-sdk: probe.effect: the contract couldn't check query: mine"],
    ["svc-sdk: probe.effect: the contract couldn't check body: mine"],
    ["svc-sdk: probe.effect: the contract couldn't check response: mine"],
  ]);
  shown.mockRestore();
});

test("a listener can't change a report of mismatches", async () => {
  const found = [{ path: "a", expected: "b", received: "c" }];
  const onMismatch = ({ mismatches }: MismatchReport) => {
    Reflect.set(mismatches, "length", 0);
  };
  const svc = clientOf(scriptedFetch(Response.json({ ok: true })), {
    contract: { check: (_, part) => (part === "response" ? found : []) },
    onMismatch,
  });
  expect((await send(svc).withResponse()).meta.mismatches).toHaveLength(1);
});

describe("a call of a JavaScript program", () => {
  test.each<[string, (svc: Svc, wrong: never) => PromiseLike<unknown>, unknown, string]>([
    [
      "a text for filters",
      (svc, wrong) => svc.tools.list(wrong),
      "github",
      "tools.list: the filters must be an object",
    ],
    [
      "a text for a version",
      (svc, wrong) => svc.tools.get("A_TOOL", wrong),
      "latest",
      "tools.get: the filters must be",
    ],
    [
      "everything in one object",
      (svc, wrong) => svc.tools.execute(wrong, { arguments: {} }),
      { slug: "A_TOOL", arguments: { token: "s3cret" } },
      "tools.execute: the path parameter tool_slug must be a string, not object.",
    ],
    [
      "nothing",
      (svc, wrong) => svc.tools.execute(wrong, { arguments: {} }),
      undefined,
      "tool_slug must be a string, not undefined.",
    ],
    [
      "a text for a body",
      (svc, wrong) => svc.tools.execute("A_TOOL", wrong),
      "x",
      "the body must be an object, not a string.",
    ],
  ])("is rejected with %s before anything is sent, with a message that fits", async (_, act, wrong, problem) => {
    const fetch = scriptedFetch(Response.json({}));
    // What no compiler has seen.
    const error = await rejectionOf(ValidationError, act(clientOf(fetch), wrong as never));
    expect(error.message).toContain(problem);
    expect(JSON.stringify(error)).not.toContain("s3cret");
    expect(fetch.sent).toEqual([]);
  });
});

const AUTH =
  "an endpoint must have auth, an array of the credentials it accepts (apiKey, userApiKey, orgApiKey, sessionCookie). Pass [] for none.";

describe("svc.call", () => {
  test.each<[string, object, string]>([
    ["no name", { name: undefined }, "an endpoint must have a name. Errors show it."],
    ["a method of its own", { method: "get" }, "method of an endpoint must be one of GET, POST, PATCH, PUT, DELETE."],
    ["no path", { path: undefined }, "an endpoint must have a path."],
    ["no keys", { auth: undefined }, AUTH],
    ["a misspelt key", { auth: ["apikey"] }, AUTH],
    ["no retry class", { retry: undefined }, "retry of an endpoint must be one of safe, idempotent, effect."],
    ["a misspelled class", { retry: "Effect" }, "retry of an endpoint must be one of safe, idempotent, effect."],
  ])("rejects an endpoint with %s before anything is sent", async (_, wrong, problem) => {
    const fetch = scriptedFetch(Response.json({}));
    const stated = { name: "a.b", method: "POST", path: "/a", auth: ["apiKey"], retry: "effect", ...wrong };
    // What a program in JavaScript may write.
    const error = await rejectionOf(ValidationError, clientOf(fetch).call(stated as never, {} as never));
    expect(error.message).toBe(`svc.call: ${problem}`);
    expect(fetch.sent).toEqual([]);
  });

  test.each([undefined, null, "text"])("rejects %o as an input", async (input) => {
    // As above.
    const call = clientOf(scriptedFetch(Response.json({}))).call(probes.safe, input as never);
    const error = await rejectionOf(ValidationError, call);
    expect(error.message).toBe("svc.call: the input of probe.safe must be an object. Pass {} for none.");
  });

  const members = endpoint({
    name: "team.members",
    method: "GET",
    path: "/api/{apiVersion}/team/{teamId}/members",
    auth: ["orgApiKey", "apiKey"],
    retry: "safe",
    query: typed<{ role?: string }>(),
    response: typed<{ members: string[] }>(),
  });
  const invite = endpoint({
    name: "team.invite",
    method: "POST",
    path: "/api/v1/team/{teamId}/invite",
    auth: ["sessionCookie"],
    retry: "effect",
    body: typed<{ email: string }>(),
    response: typed<{ id: string }>(),
  });

  test("calls an operation the SDK doesn't know with the same credentials, headers and retries", async () => {
    const fetch = scriptedFetch(failure(503), Response.json({ members: ["a"] }));
    const svc = clientOf(fetch, { apiVersion: "v3", headers: { "x-team": "blue" } });
    const { data, meta } = await svc
      .call(members, { params: { teamId: "t/1" }, query: { role: "admin" } })
      .withResponse();
    expect(data.members).toEqual(["a"]);
    expect(meta).toMatchObject({ operation: "team.members", attempts: 2 });
    expect(fetch.sent[1]?.target).toBe("/api/v3/team/t%2F1/members?role=admin");
    expect(fetch.sent[1]?.headers.get("x-org-api-key")).toBe("oak_test");
    expect(fetch.sent[1]?.headers.has("x-api-key")).toBe(false);
    expect(fetch.sent[1]?.headers.get("x-team")).toBe("blue");
  });

  test("has the same errors", async () => {
    const svc = clientOf(scriptedFetch(failure(404), failure(409), broken("ECONNRESET")), { sessionCookie: "c" });
    const input = { params: { teamId: "1" }, body: { email: "a@b.example" } };
    expect((await rejectionOf(NotFoundError, svc.call(invite, input))).operation).toBe("team.invite");
    await rejectionOf(ConflictError, svc.call(invite, input));
    await expect(svc.call(invite, input)).rejects.toMatchObject({ outcome: "unknown", attempts: 1 });
    const withoutCookie = clientOf(scriptedFetch()).call(invite, input);
    const missing = await rejectionOf(MissingCredentialError, withoutCookie);
    expect(missing.message).toBe("team.invite needs a credential. Set new Svc({ sessionCookie }) (sent as cookie).");
  });

  test("checks nothing for an operation that isn't in the contract", async () => {
    const svc = clientOf(scriptedFetch(Response.json({ anything: 1 })), { contract, onMismatch: "throw" });
    expect(await svc.call(members, { params: { teamId: "1" } })).toEqual({ anything: 1 });
  });

  test("sends a session cookie as the cookie authToken", async () => {
    const fetch = scriptedFetch(Response.json({ id: "i" }));
    await clientOf(fetch, { sessionCookie: "c1" }).call(invite, { params: { teamId: "1" }, body: { email: "e" } });
    expect(fetch.sent[0]?.headers.get("cookie")).toBe("authToken=c1");
  });
});

test("meta describes the call and can't be changed", async () => {
  const { svc } = emulated();
  const { meta } = await svc.toolkits.get("github").withResponse();
  expect(meta).toMatchObject({
    operation: "toolkits.get",
    status: 200,
    attempts: 1,
    alreadyApplied: false,
    mismatches: [],
  });
  expect(meta.rateLimit).toEqual({ limit: 2_000, remaining: 1_999, windowMs: 60_000 });
  expect(meta.headers.get("content-type")).toContain("application/json");
  expect(svc.rateLimit.reported).toEqual(meta.rateLimit);
  expect(Object.isFrozen(meta)).toBe(true);
});

test("every operation of the emulator's demo matches the contract, request and response", async () => {
  const { svc } = emulated();
  await svc.session.info();
  await svc.toolkits.list();
  await svc.toolkits.listCategories();
  await svc.toolkits.getChangelog();
  await svc.tools.list({ toolkit_slug: "github", limit: 2 });
  const { auth_config } = await svc.authConfigs.create({ toolkit: { slug: "github" } });
  await svc.authConfigs.update(auth_config.id, { type: "default", name: "n" });
  await svc.authConfigs.disable(auth_config.id);
  expect((await svc.authConfigs.get(auth_config.id)).status).toBe("DISABLED");
  await svc.authConfigs.delete(auth_config.id);
  await rejectionOf(NotFoundError, svc.authConfigs.get(auth_config.id));
});

test("a client without options reports what it needs", () => {
  expect(() => new Svc({ env: {} })).toThrow("Pass baseUrl or set SVC_BASE_URL");
});
