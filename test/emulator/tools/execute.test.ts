import { describe, expect, test } from "vitest";
import type { CustomAuthParams } from "../../../src/index.js";
import { FRONTS, testSeed } from "../fronts.js";

const CREATE = "GITHUB_CREATE_AN_ISSUE";
const version = "20251023_00";
const issue = { owner: "octo-org", repo: "hello-world", title: "It works" };
const call = { user_id: "user-4711", version, arguments: issue };

describe.each(FRONTS)("tools.execute %s", (_, open) => {
  test("runs a tool for a user and keeps its data", async () => {
    const { svc } = await open();
    expect(await svc.tools.execute(CREATE, call)).toEqual({
      successful: true,
      data: {
        number: 1,
        title: "It works",
        state: "open",
        html_url: "https://github.example.com/octo-org/hello-world/issues/1",
      },
      error: null,
      log_id: expect.stringMatching(/^log_[\w-]{12}$/),
    });
    const read = { ...call, arguments: { owner: "octo-org", repo: "hello-world", issue_number: 1 } };
    expect(await svc.tools.execute("GITHUB_GET_AN_ISSUE", read)).toMatchObject({ data: { title: "It works" } });
  });

  test.each([
    ["v3.1", undefined, "html_url"],
    ["v3.1", "latest", "html_url"],
    ["v3.1", "20250905_00", "state"],
    ["v3.1", "00000000_00", "state"],
    ["v3", undefined, "state"],
    ["v3", "latest", "html_url"],
  ])("runs on %s, for version %s, what that version defines", async (apiVersion, wanted, lastField) => {
    const { raw } = await open();
    const body = { user_id: "user-4711", arguments: issue, ...(wanted !== undefined && { version: wanted }) };
    const answer = await raw("POST", `/api/${apiVersion}/tools/execute/${CREATE}`, {
      headers: { "x-api-key": "ak_emulator" },
      body,
    });
    expect(answer).toMatchObject({ status: 200, body: { successful: true } });
    expect(answer.text).toContain(`"${lastField}"`);
    expect(answer.text.includes("html_url")).toBe(lastField === "html_url");
  });

  test("returns 404 for a tool missing from v3's pinned version", async () => {
    const { raw } = await open();
    const request = { headers: { "x-api-key": "ak_emulator" }, body: { arguments: { text: "abc" } } };
    const path = "tools/execute/TEXTKIT_REVERSE";
    expect(await raw("POST", `/api/v3/${path}`, request)).toMatchObject({ status: 404 });
    expect(await raw("POST", `/api/v3.1/${path}`, request)).toMatchObject({ body: { data: { text: "cba" } } });
  });

  test.each([
    ["GITHUB_CREATE_AN_ISSUE", { ...issue, repo: "nope" }, 404, "Not Found"],
    ["GITHUB_CREATE_AN_ISSUE", { ...issue, title: " " }, 422, "Validation Failed: title can't be blank"],
    ["GITHUB_GET_A_REPOSITORY_ARCHIVE", issue, 429, "API rate limit exceeded for this user"],
  ])("returns %s's provider error as a 200 with successful false", async (slug, given, status_code, message) => {
    const { svc } = await open();
    const { data, meta } = await svc.tools.execute(slug, { ...call, arguments: given }).withResponse();
    expect(meta.status).toBe(200);
    expect(data).toMatchObject({ successful: false, error: message, data: { message, status_code } });
  });

  test.each([
    [{ owner: "o" }, "Invalid request data provided: following fields are missing: repo, title"],
    [{ ...issue, title: 5 }, "Invalid request data provided: title: expected a string, received number"],
    [{ ...issue, labels: [1] }, "Invalid request data provided: labels[0]: expected a string, received number"],
  ])("reports invalid arguments %j in a 200 with successful false", async (given, error) => {
    const { svc } = await open();
    expect(await svc.tools.execute(CREATE, { ...call, arguments: given })).toMatchObject({ successful: false, error });
  });

  test("checks ranges of arguments", async () => {
    const { svc } = await open();
    const given = { ...call, version: "latest", arguments: { city: "Oslo", days: 8 } };
    expect(await svc.tools.execute("WEATHERMAP_FORECAST", given)).toMatchObject({
      successful: false,
      error: "Invalid request data provided: days: expected at most 7, received more",
    });
  });

  test("runs a tool without auth for no user", async () => {
    const { svc } = await open();
    const run = await svc.tools.execute("TEXTKIT_COUNT_WORDS", { version: "latest", arguments: { text: "two words" } });
    expect(run).toMatchObject({ successful: true, data: { words: 2, characters: 9 } });
  });

  test("returns a 404 with user and toolkit for a user without an account", async () => {
    const { svc } = await open();
    await expect(svc.tools.execute(CREATE, { ...call, user_id: "nobody" })).rejects.toMatchObject({
      name: "NotFoundError",
      code: 1810,
      errorSlug: "ActionExecute_ConnectedAccountNotFound",
      condition: "no_connected_account",
      message: expect.stringContaining("No connected account found for user ID nobody for toolkit github"),
    });
  });

  test("returns 400 without user and account", async () => {
    const { svc } = await open();
    await expect(svc.tools.execute(CREATE, { version, arguments: issue })).rejects.toMatchObject({
      status: 400,
      errors: ["body.user_id: expected a string, or connected_account_id"],
    });
  });

  test("accepts entity_id for user_id", async () => {
    const { svc } = await open();
    const run = await svc.tools.execute(CREATE, { entity_id: "user-4711", version, arguments: issue });
    expect(run.successful).toBe(true);
  });

  test("accepts an account with its user or alone", async () => {
    const { svc } = await open();
    const named = { version, arguments: issue, connected_account_id: "ca_github_demo" };
    expect((await svc.tools.execute(CREATE, named)).successful).toBe(true);
    expect((await svc.tools.execute(CREATE, { ...named, user_id: "user-4711" })).successful).toBe(true);
  });

  test("rejects another user's account with 400", async () => {
    const { svc } = await open();
    const foreign = { ...call, user_id: "somebody-else", connected_account_id: "ca_github_demo" };
    await expect(svc.tools.execute(CREATE, foreign)).rejects.toMatchObject({
      name: "BadRequestError",
      code: 1812,
      errorSlug: "ActionExecute_ConnectedAccountEntityIdMismatch",
    });
  });

  test("returns a detailed 404 for an unknown account, and one of another toolkit", async () => {
    const { svc } = await open();
    for (const connected_account_id of ["ca_unknown", "ca_slack_demo"]) {
      await expect(svc.tools.execute(CREATE, { ...call, connected_account_id })).rejects.toMatchObject({
        code: 1810,
        message: expect.stringContaining(
          `No connected account found with ID ${connected_account_id} for user ID user-4711 for toolkit github`,
        ),
      });
    }
  });

  test("rejects an expired account with 410: the user must reconnect", async () => {
    const { svc } = await open();
    await expect(svc.tools.execute(CREATE, { ...call, user_id: "user-expired" })).rejects.toMatchObject({
      status: 410,
      code: 1820,
      errorSlug: "ActionExecute_ConnectedAccountExpired",
      condition: "auth_refresh_required",
      message: expect.stringContaining("is in EXPIRED state"),
    });
  });

  test("rejects an inactive account with 422", async () => {
    const { svc } = await open();
    await expect(svc.tools.execute(CREATE, { ...call, user_id: "user-inactive" })).rejects.toMatchObject({
      name: "UnprocessableEntityError",
      message: expect.stringContaining("is in INACTIVE state"),
    });
  });

  test("uses the newest usable one of several accounts", async () => {
    const connectedAccounts = [
      { id: "ca_old", userId: "u", authConfigId: "ac_github_demo" },
      { id: "ca_new", userId: "u", authConfigId: "ac_github_demo" },
      { id: "ca_newest", userId: "u", authConfigId: "ac_github_demo", status: "EXPIRED" },
    ] as const;
    const seen: (string | undefined)[] = [];
    const github = { slug: "github", name: "G", description: "", categories: [], versions: {} };
    const tool = { slug: "GITHUB_WHO", name: "", description: "", input: {}, output: {} };
    const run = ({ accountId }: { accountId: string | undefined }) => {
      seen.push(accountId);
      return {};
    };
    const auth = [{ scheme: "OAUTH2", isManaged: true }];
    const { svc } = await open({
      seed: { ...testSeed, connectedAccounts },
      toolkits: [{ ...github, auth, tools: [{ ...tool, run }] }],
    });
    await svc.tools.execute("GITHUB_WHO", { user_id: "u", version: "latest", arguments: {} });
    expect(seen).toEqual(["ca_new"]);
  });

  test("needs no account if the call includes credentials", async () => {
    const { svc } = await open();
    const custom_connection_data = { authScheme: "OAUTH2", toolkitSlug: "github", val: { access_token: "t" } } as const;
    expect(await svc.tools.execute(CREATE, { version, arguments: issue, custom_connection_data })).toMatchObject({
      successful: true,
    });
    const custom_auth_params: CustomAuthParams = { parameters: [{ name: "authorization", in: "header", value: "t" }] };
    expect(await svc.tools.execute(CREATE, { version, arguments: issue, custom_auth_params })).toMatchObject({
      successful: true,
    });
  });

  test.each([
    ["both", { text: "x", arguments: issue }],
    ["neither", {}],
  ])("rejects arguments and text with 400, %s of them", async (_case, extra) => {
    const { svc } = await open();
    await expect(svc.tools.execute(CREATE, { user_id: "user-4711", version, ...extra })).rejects.toMatchObject({
      status: 400,
      code: 10400,
      errors: ["body: expected exactly one of arguments and text"],
    });
  });

  test("derives arguments from text", async () => {
    const { svc } = await open();
    const text = 'owner: octo-org, repo=hello-world and the title is "From text"';
    expect(await svc.tools.execute(CREATE, { user_id: "user-4711", version, text })).toMatchObject({
      successful: true,
      data: { title: "From text" },
    });
    expect(await svc.tools.execute(CREATE, { user_id: "user-4711", version, text: "do something" })).toMatchObject({
      successful: false,
      error: expect.stringContaining("owner, repo, title"),
    });
  });

  test("rejects a meta tool outside a session", async () => {
    const { svc } = await open();
    await expect(svc.tools.execute("SVC_SEARCH_TOOLS", { ...call, arguments: {} })).rejects.toMatchObject({
      status: 400,
      condition: "session_only_tool",
      message: expect.stringContaining("can only be called inside a tool-router session"),
    });
  });

  test("accepts the user key", async () => {
    const { client } = await open();
    expect((await client({ apiKey: undefined }).tools.execute(CREATE, call)).successful).toBe(true);
  });

  test.each([
    [{ arguments: [] }, "body.arguments: expected an object, received array"],
    [{ userId: "u" }, "body.userId: no such field (did you mean user_id?)"],
    [{ version: 20251023 }, "body.version: expected a string, received number"],
    [{ allow_tracing: "yes" }, "body.allow_tracing: expected a boolean, received string"],
    [
      { custom_auth_params: { parameters: [{ name: "a", in: "cookie", value: "b" }] } },
      'body.custom_auth_params.parameters[0].in: expected "query" or "header", received another string',
    ],
  ])("rejects the body %j with 400", async (body, complaint) => {
    const { raw } = await open();
    const headers = { "x-api-key": "ak_emulator" };
    const answer = await raw("POST", `/api/v3.1/tools/execute/${CREATE}`, { headers, body });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 10400, errors: [complaint] } } });
  });
});

describe.each(FRONTS)("tools.generateArguments %s", (_, open) => {
  test("derives arguments and runs nothing", async () => {
    const { svc, emulator } = await open();
    const before = emulator.snapshot()["toolkitData"];
    const text = "owner octo-org repo hello-world title: 'Quoted one'";
    expect(
      await svc.tools.generateArguments(CREATE, { text, custom_description: "d", system_prompt: "s", version }),
    ).toEqual({
      arguments: { owner: "octo-org", repo: "hello-world", title: "Quoted one" },
    });
    expect(emulator.snapshot()["toolkitData"]).toEqual(before);
  });

  test("converts numbers and booleans to the tool's types", async () => {
    const { svc } = await open();
    const derived = await svc.tools.generateArguments("WEATHERMAP_FORECAST", { text: "city: Oslo, days: 3" });
    expect(derived).toEqual({ arguments: { city: "Oslo", days: 3 } });
  });

  test("converts a number that may be null", async () => {
    const input = { type: "object", properties: { pages: { type: ["integer", "null"] } } };
    const book = { slug: "BOOK_OPEN", name: "Open", description: "-", input, output: {}, run: () => ({}) };
    const { svc } = await open({
      toolkits: [
        { slug: "book", name: "Book", description: "-", categories: [], auth: [], versions: {}, tools: [book] },
      ],
    });
    expect(await svc.tools.generateArguments("BOOK_OPEN", { text: "pages: 3" })).toEqual({ arguments: { pages: 3 } });
  });

  test("reports missing values in error", async () => {
    const { svc } = await open();
    expect(await svc.tools.generateArguments(CREATE, { text: "owner: octo-org" })).toEqual({
      arguments: { owner: "octo-org" },
      error: "The text does not say: repo, title",
    });
  });

  test("uses latest on v3.1 and the pinned version on v3 by default", async () => {
    const { client } = await open();
    const ask = { text: "text: abc" };
    expect(await client({}).tools.generateArguments("TEXTKIT_REVERSE", ask)).toEqual({ arguments: { text: "abc" } });
    const onV3 = client({ apiVersion: "v3" }).tools.generateArguments("TEXTKIT_REVERSE", ask);
    await expect(onV3).rejects.toMatchObject({ status: 404, condition: "tool_not_found" });
  });

  test("rejects a missing text with 400", async () => {
    const { raw } = await open();
    const request = { headers: { "x-api-key": "ak_emulator" }, body: {} };
    const errors = ["body.text: expected a string, received missing"];
    const answer = await raw("POST", `/api/v3.1/tools/execute/${CREATE}/input`, request);
    expect(answer).toMatchObject({ status: 400, body: { error: { errors } } });
  });
});
