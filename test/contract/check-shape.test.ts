import { describe, expect, test } from "vitest";
import { contract } from "../../src/contract/index.js";

type Part = "query" | "body" | "response";

/** The mismatches as `path: expected / received`. */
function check(operation: string, part: Part, value: unknown): string[] {
  return contract
    .check(operation, part, value)
    .map(({ path, expected, received }) => `${path}: ${expected} / ${received}`);
}

const custom = { toolkit: { slug: "github" }, auth_config: { type: "use_custom_auth", authScheme: "OAUTH2" } };
const page = { items: [], total_pages: 1, current_page: 1, total_items: 0 };
const config = {
  id: "ac_1",
  uuid: "u",
  type: "default",
  toolkit: { slug: "github", logo: "l" },
  name: "n",
  status: "ENABLED",
  no_of_connections: 0,
  tool_access_config: {},
};

describe("paths and kinds", () => {
  test.each<[string, Part, unknown, string[]]>([
    ["tools.execute", "body", null, [": an object / null"]],
    ["tools.execute", "body", undefined, [": an object / missing"]],
    ["tools.execute", "body", "text", [": an object / string"]],
    ["tools.execute", "body", { user_id: 5 }, ["user_id: a string / number"]],
    ["tools.execute", "body", { user_id: null }, ["user_id: a string / null"]],
    ["tools.execute", "body", { user_id: ["u"] }, ["user_id: a string / array"]],
    ["tools.execute", "body", { user_id: {} }, ["user_id: a string / object"]],
    ["tools.execute", "body", { arguments: "a" }, ["arguments: an object / string"]],
    ["authConfigs.create", "body", {}, ["toolkit: an object / missing"]],
    ["authConfigs.create", "body", { toolkit: {} }, ["toolkit.slug: a string / missing"]],
    [
      "authConfigs.list",
      "response",
      { ...page, items: [config, { ...config, name: null }] },
      ["items[1].name: a string / null"],
    ],
    ["authConfigs.list", "response", { ...page, total_items: "0" }, ["total_items: a number / string"]],
    ["authConfigs.list", "query", { limit: Number.NaN }, ["limit: a number / NaN"]],
    ["authConfigs.list", "query", { limit: Number.NEGATIVE_INFINITY }, ["limit: a number / -Infinity"]],
    ["tools.listSlugs", "response", ["A", 1], ["[1]: a string / number"]],
    ["tools.listSlugs", "response", "[]", [": an array / string"]],
    ["tools.proxy", "response", { status: 200, headers: { a: 1 } }, ["headers.a: a string / number"]],
  ])("reports for %s %s %j: %j", (operation, part, value, expected) => {
    expect(check(operation, part, value)).toEqual(expected);
  });

  test("reports every mismatch, not only the first", () => {
    expect(check("tools.execute", "body", { user_id: 1, version: 2, nope: 3 })).toEqual([
      "user_id: a string / number",
      "version: a string / number",
      "nope: no such field / number",
    ]);
  });

  test("accepts valid values, and unknown fields of responses", () => {
    expect(check("authConfigs.list", "response", { ...page, items: [config], new_field: 1 })).toEqual([]);
    expect(check("authConfigs.list", "query", undefined)).toEqual([]);
    expect(check("session.info", "query", { any: "thing" })).toEqual([]);
    expect(check("no.such", "body", 5)).toEqual([]);
  });
});

describe("enums and limits", () => {
  test.each<[string, Part, unknown, string]>([
    ["tools.list", "query", { important: "yes" }, 'important: "true" or "false" / another string'],
    ["toolkits.list", "query", { sort_by: 5 }, 'sort_by: "usage" or "alphabetically" / number'],
    ["toolkits.list", "query", { search: "ab" }, "search: at least 3 characters / fewer"],
    ["authConfigs.list", "query", { limit: 0 }, "limit: at least 1 / less"],
    ["authConfigs.list", "query", { limit: 1001 }, "limit: at most 1000 / more"],
    ["authConfigs.list", "query", { limit: 1.5 }, "limit: an integer / number"],
    ["authConfigs.update", "body", { type: "custom", name: "" }, "name: at least 1 character / fewer"],
    ["tools.getRequiredScopes", "body", { tools: [] }, "tools: at least 1 item / fewer"],
    [
      "authConfigs.update",
      "body",
      { type: "custom", proxy_config: { proxy_url: "nope" } },
      "proxy_config.proxy_url: an absolute URL, such as https://app.example / another string",
    ],
  ])("reports for %s %s %j: %j", (operation, part, value, expected) => {
    expect(check(operation, part, value)).toEqual([expected]);
  });

  test("accepts new values of a response enum", () => {
    expect(check("authConfigs.get", "response", { ...config, status: "PAUSED" })).toEqual([]);
  });
});

describe("unknown fields of requests", () => {
  test.each<[string, Part, unknown, string]>([
    ["tools.list", "query", { toolkitSlug: "a" }, "toolkitSlug: no such field (did you mean toolkit_slug?) / string"],
    ["tools.list", "query", { constructor: "a" }, "constructor: no such field / string"],
    ["tools.list", "query", { TOOLKIT_SLUG: "a" }, "TOOLKIT_SLUG: no such field (did you mean toolkit_slug?) / string"],
    ["tools.list", "query", { toolkits: "a" }, "toolkits: no such field (did you mean toolkit_slug?) / string"],
    ["tools.execute", "body", { userId: "u" }, "userId: no such field (did you mean user_id?) / string"],
    ["tools.execute", "body", { __proto: 1 }, "__proto: no such field / number"],
    [
      "authConfigs.create",
      "body",
      { toolkit: { Slug: "x", slug: "x" } },
      "toolkit.Slug: no such field (did you mean slug?) / string",
    ],
    [
      "authConfigs.create",
      "body",
      { ...custom, auth_config: { ...custom.auth_config, proxyConfig: null } },
      "auth_config.proxyConfig: no such field (did you mean proxy_config?) / null",
    ],
    [
      "tools.execute",
      "body",
      { custom_auth_params: { parameters: [{ name: "n", in: "query", value: "v", Name: "n" }] } },
      "custom_auth_params.parameters[0].Name: no such field (did you mean name?) / string",
    ],
    [
      "integrations.update",
      "body",
      { auth_config: {} },
      "auth_config: no such field (did you mean authConfig?) / object",
    ],
  ])("reports for %s %s %j: %j", (operation, part, value, expected) => {
    expect(check(operation, part, value)).toEqual([expected]);
  });

  test("suggests only fields of the current variant", () => {
    const managed = { toolkit: { slug: "x" }, auth_config: { type: "use_svc_managed_auth", proxyConfig: null } };
    expect(check("authConfigs.create", "body", managed)).toEqual(["auth_config.proxyConfig: no such field / null"]);
    expect(check("authConfigs.update", "body", { type: "custom", userScopes: "a" })).toEqual([
      "userScopes: no such field / string",
    ]);
    expect(check("authConfigs.update", "body", { type: "default", userScopes: "a" })).toEqual([
      "userScopes: no such field (did you mean user_scopes?) / string",
    ]);
  });
});

describe("unions", () => {
  test.each<[string, Part, unknown, string[]]>([
    ["authConfigs.update", "body", { type: "other" }, ['type: "custom" or "default" / another string']],
    ["authConfigs.update", "body", {}, ['type: "custom" or "default" / missing']],
    ["tools.execute", "response", { successful: "yes", data: {} }, ["successful: true or false / string"]],
    ["tools.execute", "response", { successful: false, data: {} }, ["error: a string / missing"]],
    ["authConfigs.update", "body", { type: "default", scopes: 5 }, ["scopes: a string or an array / number"]],
    ["authConfigs.update", "body", { type: "default", scopes: ["a", 5] }, ["scopes[1]: a string / number"]],
    ["tools.list", "query", { toolkit_versions: 5 }, ["toolkit_versions: a string or an object / number"]],
    ["tools.list", "query", { toolkit_versions: { github: 5 } }, ["toolkit_versions.github: a string / number"]],
    [
      "tools.proxy",
      "body",
      { endpoint: "/", method: "PUT", binary_body: { base64: "AA==", contentType: "x" } },
      ["binary_body.contentType: no such field (did you mean content_type?) / string"],
    ],
    [
      "tools.proxy",
      "body",
      { endpoint: "/", method: "PUT", binary_body: { url: "nope" } },
      ["binary_body.url: an absolute URL, such as https://app.example / another string"],
    ],
    [
      "tools.proxy",
      "body",
      { endpoint: "/", method: "PUT", binary_body: { content_type: "x" } },
      ["binary_body.url: a string / missing"],
    ],
    [
      "tools.proxy",
      "body",
      { endpoint: "/", method: "PUT", binary_body: { base64: 5, content_type: "x" } },
      ["binary_body.base64: a string / number"],
    ],
    ["tools.proxy", "body", { endpoint: "/", method: "PUT", binary_body: "AA==" }, ["binary_body: an object / string"]],
    [
      "tools.getRequiredScopes",
      "response",
      {
        scopes_required: [],
        per_tool_requirements: [{ tool: "T", scope_requirements: { all_of: ["a", { any_of: [] }] } }],
      },
      ["per_tool_requirements[0].scope_requirements.all_of[1].any_of: at least 1 item / fewer"],
    ],
    [
      "tools.getRequiredScopes",
      "response",
      { scopes_required: [], per_tool_requirements: [{ tool: "T", scope_requirements: { all_of: [5] } }] },
      ["per_tool_requirements[0].scope_requirements.all_of[0]: a string or an object / number"],
    ],
  ])("reports the closest variant's mismatches for %s %s %j", (operation, part, value, expected) => {
    expect(check(operation, part, value)).toEqual(expected);
  });
});

test("never includes a value in a mismatch", () => {
  const secret = "s3cret-value";
  const values: [string, Part, unknown][] = [
    ["authConfigs.create", "body", { toolkit: secret, auth_config: secret }],
    ["authConfigs.create", "body", { toolkit: { slug: [secret] }, auth_config: { type: secret, authScheme: secret } }],
    ["authConfigs.create", "body", { ...custom, auth_config: { ...custom.auth_config, credentials: secret } }],
    ["authConfigs.update", "body", { type: "custom", proxy_config: { proxy_url: secret } }],
    ["tools.list", "query", { important: secret, limit: secret, tags: secret, nope: secret }],
    ["tools.execute", "body", { custom_connection_data: { authScheme: secret, toolkitSlug: 1, val: secret } }],
    [
      "session.info",
      "response",
      { project: secret, api_key: { key: [secret] }, org_member: { metadata: { a: [secret] } } },
    ],
  ];
  for (const [operation, part, value] of values) {
    const mismatches = contract.check(operation, part, value);
    expect(mismatches.length).toBeGreaterThan(0);
    expect(JSON.stringify(mismatches)).not.toContain(secret);
  }
});
