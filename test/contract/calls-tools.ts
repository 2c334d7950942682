import type { OperationName } from "../../src/contract/index.js";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
} from "../../src/index.js";
import { type Case, type CaseContext, wrongKey } from "./case.js";

type Area = "session" | "toolkits" | "tools" | "integrations" | "apiKeys" | "files" | "logs" | "usage";
type Name = Extract<OperationName, `${Area}.${string}`>;

const missing = { as: NotFoundError, status: 404 };
const missingTool = { ...missing, condition: "tool_not_found" } as const;
const bad = { as: BadRequestError, status: 400 };
/** Runs a tool that needs no account. */
function reverse({ svc }: CaseContext) {
  return svc.tools.execute("TEXTKIT_REVERSE", { user_id: "ada", version: "latest", arguments: { text: "abc" } });
}

export const tools: Readonly<Record<Name, Case>> = {
  "session.info": {
    published: ["GET", "v3", "/auth/session/info", "UOC", "safe", 200],
    happy: ({ svc }) => svc.session.info(),
    error: ({ stranger }) => stranger.session.info(),
    refused: wrongKey,
  },

  "toolkits.list": {
    published: ["GET", "both", "/toolkits", "PU", "safe", 200],
    happy: ({ svc }) => svc.toolkits.list(),
    error: ({ svc }) => svc.toolkits.list({ cursor: "no cursor" }),
    refused: bad,
  },
  "toolkits.get": {
    published: ["GET", "both", "/toolkits/{slug}", "PU", "safe", 200],
    happy: ({ svc }) => svc.toolkits.get("github"),
    error: ({ svc }) => svc.toolkits.get("GITHUB"),
    refused: missing,
  },
  "toolkits.listCategories": {
    published: ["GET", "both", "/toolkits/categories", "P", "safe", 200],
    happy: ({ svc }) => svc.toolkits.listCategories(),
    error: ({ stranger }) => stranger.toolkits.listCategories(),
    refused: wrongKey,
  },
  "toolkits.getChangelog": {
    published: ["GET", "both", "/toolkits/changelog", "P", "safe", 200],
    happy: ({ svc }) => svc.toolkits.getChangelog(),
    error: ({ stranger }) => stranger.toolkits.getChangelog(),
    refused: wrongKey,
  },
  "toolkits.listBySlugs": {
    published: ["POST", "both", "/toolkits/multi", "P", "safe", 200],
    happy: ({ svc }) => svc.toolkits.listBySlugs({ toolkits: ["github"] }),
    error: ({ svc }) => svc.toolkits.listBySlugs({ cursor: "no cursor" }),
    refused: bad,
  },

  "tools.list": {
    published: ["GET", "both", "/tools", "PU", "safe", 200],
    happy: ({ svc }) => svc.tools.list({ toolkit_slug: "github" }),
    error: ({ svc }) => svc.tools.list({ cursor: "no cursor" }),
    refused: bad,
  },
  "tools.get": {
    published: ["GET", "both", "/tools/{tool_slug}", "PU", "safe", 200],
    happy: ({ svc }) => svc.tools.get("GITHUB_CREATE_AN_ISSUE"),
    error: ({ svc }) => svc.tools.get("github_create_an_issue"),
    refused: missingTool,
  },
  "tools.listSlugs": {
    published: ["GET", "both", "/tools/enum", "PU", "safe", 200],
    happy: ({ svc }) => svc.tools.listSlugs(),
    error: ({ stranger }) => stranger.tools.listSlugs(),
    refused: wrongKey,
  },
  "tools.execute": {
    published: ["POST", "both", "/tools/execute/{tool_slug}", "PU", "effect", 200],
    happy: ({ svc }) =>
      svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
        user_id: "user-4711",
        version: "20251023_00",
        arguments: { owner: "octo-org", repo: "hello-world", title: "It works" },
      }),
    error: ({ svc }) =>
      svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id: "user-expired", version: "latest", arguments: {} }),
    refused: { as: ApiError, status: 410, condition: "auth_refresh_required" },
  },
  "tools.generateArguments": {
    published: ["POST", "both", "/tools/execute/{tool_slug}/input", "P", "safe", 200],
    happy: ({ svc }) => svc.tools.generateArguments("TEXTKIT_REVERSE", { text: "text: abc" }),
    error: ({ svc }) => svc.tools.generateArguments("TEXTKIT_NO_SUCH_TOOL", { text: "text: abc" }),
    refused: missingTool,
  },
  "tools.proxy": {
    published: ["POST", "both", "/tools/execute/proxy", "P", "effect", 200],
    happy: ({ svc }) =>
      svc.tools.proxy({
        endpoint: "/weather",
        method: "GET",
        connected_account_id: "ca_weather_demo",
        parameters: [{ name: "city", value: "Lisbon", type: "query" }],
      }),
    error: ({ reader }) =>
      reader.tools.proxy({ endpoint: "/weather", method: "GET", connected_account_id: "ca_weather_demo" }),
    refused: { as: PermissionDeniedError, status: 403, condition: "insufficient_permissions" },
  },
  "tools.getRequiredScopes": {
    published: ["POST", "v3.1", "/tools/scopes/required", "P", "safe", 200],
    happy: ({ svc }) => svc.tools.getRequiredScopes({ tools: ["GITHUB_CREATE_AN_ISSUE"] }),
    error: ({ svc }) => svc.tools.getRequiredScopes({ tools: ["GITHUB_NO_SUCH_TOOL"] }),
    refused: missingTool,
  },

  "integrations.update": {
    published: ["PATCH", "v1", "/integrations/{integrationId}", "P", "idempotent", 204],
    happy: ({ svc }) => svc.integrations.update("integration-demo", { enabled: false }),
    error: ({ svc }) => svc.integrations.update("no-such-integration", { enabled: false }),
    refused: missing,
  },
  "apiKeys.revoke": {
    published: ["POST", "v3.1", "/api_key_revocation", "", "idempotent", 200],
    happy: ({ svc }) => svc.apiKeys.revoke({ api_keys: ["ak_readonly"] }),
    error: ({ unchecked }) => unchecked.apiKeys.revoke({ api_keys: Array.from({ length: 101 }, () => "ak_leaked") }),
    refused: bad,
  },

  "files.list": {
    published: ["GET", "both", "/files/list", "P", "safe", 200],
    happy: ({ svc }) => svc.files.list(),
    error: ({ svc }) => svc.files.list({ cursor: "no cursor" }),
    refused: bad,
  },
  "files.requestUpload": {
    published: ["POST", "both", "/files/upload/request", "P", "effect", 200],
    happy: ({ svc }) => svc.files.requestUpload({ ...aFile, toolkit_slug: "drive" }),
    error: ({ svc }) => svc.files.requestUpload({ ...aFile, toolkit_slug: "no-such-toolkit" }),
    refused: missing,
  },

  "logs.listToolExecutions": {
    published: ["POST", "v3.1", "/logs/tool_execution", "P", "safe", 200],
    happy: async (context) => {
      await reverse(context);
      return context.svc.logs.listToolExecutions({
        filters: [{ field: "toolkit_slug", operator: "==", value: "textkit" }],
      });
    },
    error: ({ svc }) => svc.logs.listToolExecutions({ cursor: "no cursor" }),
    refused: bad,
  },
  "logs.getToolExecution": {
    published: ["GET", "v3.1", "/logs/tool_execution/{id}", "P", "safe", 200],
    happy: async (context) => context.svc.logs.getToolExecution((await reverse(context)).log_id ?? ""),
    error: ({ svc }) => svc.logs.getToolExecution("log_unknown"),
    refused: missing,
  },

  "usage.getOrganizationSummary": {
    published: ["POST", "v3.1", "/org/usage/summary", "O", "safe", 200],
    happy: ({ svc }) => svc.usage.getOrganizationSummary(),
    error: ({ stranger }) => stranger.usage.getOrganizationSummary(),
    refused: { as: AuthenticationError, status: 401, condition: "invalid_organization_key" },
  },
  "usage.getOrganization": {
    published: ["POST", "v3.1", "/org/usage/{entity_type}", "O", "safe", 200],
    happy: ({ svc }) => svc.usage.getOrganization("sessions", { group_by: "user_id" }),
    error: ({ svc }) => svc.usage.getOrganization("sessions", { group_by: "tool_slug" }),
    refused: bad,
  },
  "usage.getProjectSummary": {
    published: ["POST", "v3.1", "/project/usage/summary", "P", "safe", 200],
    happy: ({ svc }) => svc.usage.getProjectSummary(),
    error: ({ unchecked }) => unchecked.usage.getProjectSummary({ from: 0, to: 367 * 24 * 60 * 60 * 1_000 }),
    refused: bad,
  },
  "usage.getProject": {
    published: ["POST", "v3.1", "/project/usage/{entity_type}", "P", "safe", 200],
    happy: ({ svc }) => svc.usage.getProject("tool_calls", { group_by: "tool_slug" }),
    error: ({ svc }) => svc.usage.getProject("tool_calls", { group_by: "no_such_field" }),
    refused: bad,
  },
};

const aFile = {
  tool_slug: "DRIVE_UPLOAD_FILE",
  filename: "offer.txt",
  mimetype: "text/plain",
  md5: "d41d8cd98f00b204e9800998ecf8427e",
};
