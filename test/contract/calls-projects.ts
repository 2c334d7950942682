import type { OperationName } from "../../src/contract/index.js";
import { BadRequestError, ConflictError, NotFoundError } from "../../src/index.js";
import { type Case, type CaseContext, wrongKey } from "./case.js";

type Name = Extract<OperationName, `mcp.${string}` | `projects.${string}`>;

const missing = { as: NotFoundError, status: 404 };
const bad = { as: BadRequestError, status: 400 };
/** An MCP server with GitHub's tools; returns its id. */
async function aServer({ svc }: CaseContext): Promise<string> {
  return (await svc.mcp.create({ name: "Code server", auth_config_ids: ["ac_github_demo"] })).id;
}

/** A server and an instance of the user who has connected GitHub. */
async function anInstance(context: CaseContext) {
  const serverId = await aServer(context);
  return { serverId, instance: await context.svc.mcp.createInstance(serverId, { user_id: "user-4711" }) };
}

async function aProject({ svc }: CaseContext): Promise<string> {
  return (await svc.projects.create({ name: "second-project" })).id;
}

export const projects: Readonly<Record<Name, Case>> = {
  "mcp.list": {
    published: ["GET", "both", "/mcp/servers", "P", "safe", 200],
    happy: async (context) => {
      await aServer(context);
      return context.svc.mcp.list();
    },
    error: ({ stranger }) => stranger.mcp.list(),
    refused: wrongKey,
  },
  "mcp.create": {
    published: ["POST", "both", "/mcp/servers", "P", "effect", 201],
    happy: aServer,
    error: ({ svc }) => svc.mcp.create({ name: "Code server", auth_config_ids: ["ac_unknown"] }),
    refused: missing,
  },
  "mcp.createCustom": {
    published: ["POST", "both", "/mcp/servers/custom", "P", "effect", 201],
    happy: ({ svc }) => svc.mcp.createCustom({ name: "Texts", toolkits: ["textkit"] }),
    error: ({ svc }) => svc.mcp.createCustom({ name: "Texts", toolkits: ["no-such-toolkit"] }),
    refused: bad,
  },
  "mcp.generateUrl": {
    published: ["POST", "both", "/mcp/servers/generate", "P", "effect", 200],
    happy: async (context) =>
      context.svc.mcp.generateUrl({ mcp_server_id: await aServer(context), user_ids: ["user-4711"] }),
    error: ({ svc }) => svc.mcp.generateUrl({ mcp_server_id: "no-such-server" }),
    refused: missing,
  },
  "mcp.get": {
    published: ["GET", "both", "/mcp/{id}", "P", "safe", 200],
    happy: async (context) => context.svc.mcp.get(await aServer(context)),
    error: ({ svc }) => svc.mcp.get("no-such-server"),
    refused: missing,
  },
  "mcp.update": {
    published: ["PATCH", "both", "/mcp/{id}", "P", "idempotent", 200],
    happy: async (context) => context.svc.mcp.update(await aServer(context), { name: "Renamed" }),
    error: ({ svc }) => svc.mcp.update("no-such-server", { name: "Renamed" }),
    refused: missing,
  },
  "mcp.delete": {
    published: ["DELETE", "both", "/mcp/{id}", "P", "idempotent", 200],
    happy: async (context) => context.svc.mcp.delete(await aServer(context)),
    error: ({ svc }) => svc.mcp.delete("no-such-server"),
    refused: missing,
  },
  "mcp.listByApp": {
    published: ["GET", "both", "/mcp/app/{appKey}", "P", "safe", 200],
    happy: async (context) => {
      await aServer(context);
      return context.svc.mcp.listByApp("github");
    },
    error: ({ svc }) => svc.mcp.listByApp("no-such-app"),
    refused: missing,
  },
  "mcp.listInstances": {
    published: ["GET", "both", "/mcp/servers/{serverId}/instances", "P", "safe", 200],
    happy: async (context) => context.svc.mcp.listInstances((await anInstance(context)).serverId),
    error: ({ svc }) => svc.mcp.listInstances("no-such-server"),
    refused: missing,
  },
  "mcp.createInstance": {
    published: ["POST", "both", "/mcp/servers/{serverId}/instances", "P", "effect", 201],
    happy: anInstance,
    error: async (context) => {
      const { serverId } = await anInstance(context);
      await context.svc.mcp.createInstance(serverId, { user_id: "user-4711" });
    },
    refused: { as: ConflictError, status: 409 },
  },
  "mcp.deleteInstance": {
    published: ["DELETE", "both", "/mcp/servers/{serverId}/instances/{instanceId}", "P", "idempotent", 200],
    happy: async (context) => {
      const { serverId, instance } = await anInstance(context);
      return context.svc.mcp.deleteInstance(serverId, instance.id);
    },
    error: async (context) => context.svc.mcp.deleteInstance(await aServer(context), "no-such-instance"),
    refused: missing,
  },

  "projects.create": {
    published: ["POST", "both", "/org/owner/project/new", "O", "effect", 200],
    happy: aProject,
    error: ({ unchecked }) => unchecked.projects.create({ name: "x" }),
    refused: bad,
  },
  "projects.list": {
    published: ["GET", "both", "/org/owner/project/list", "O", "safe", 200],
    happy: ({ svc }) => svc.projects.list(),
    error: ({ svc }) => svc.projects.list({ cursor: "no cursor" }),
    refused: bad,
  },
  "projects.get": {
    published: ["GET", "both", "/org/owner/project/{nano_id}", "O", "safe", 200],
    happy: async (context) => context.svc.projects.get(await aProject(context)),
    error: ({ svc }) => svc.projects.get("pr_unknown"),
    refused: missing,
  },
  "projects.delete": {
    published: ["DELETE", "both", "/org/owner/project/{nano_id}", "O", "idempotent", 200],
    happy: async (context) => context.svc.projects.delete(await aProject(context)),
    error: ({ svc }) => svc.projects.delete("pr_unknown"),
    refused: missing,
  },
  "projects.regenerateApiKey": {
    published: ["POST", "both", "/org/owner/project/{nano_id}/regenerate_api_key", "O", "effect", 200],
    happy: async (context) => context.svc.projects.regenerateApiKey(await aProject(context)),
    error: ({ svc }) => svc.projects.regenerateApiKey("pr_unknown"),
    refused: missing,
  },
  "projects.getConfig": {
    published: ["GET", "both", "/org/project/config", "PU", "safe", 200],
    happy: ({ svc }) => svc.projects.getConfig(),
    error: ({ stranger }) => stranger.projects.getConfig(),
    refused: wrongKey,
  },
  "projects.updateConfig": {
    published: ["PATCH", "both", "/org/project/config", "PU", "idempotent", 200],
    happy: ({ svc }) => svc.projects.updateConfig({ display_name: "Acme" }),
    error: ({ unchecked }) => unchecked.projects.updateConfig({ signed_url_file_expiry_in_seconds: 0 }),
    refused: bad,
  },
  "projects.listOrganizations": {
    published: ["GET", "v3.1", "/org/list", "U", "safe", 200],
    happy: ({ svc }) => svc.projects.listOrganizations(),
    error: ({ stranger }) => stranger.projects.listOrganizations(),
    refused: wrongKey,
  },
  "projects.listMine": {
    published: ["GET", "v3.1", "/org/project/list", "U", "safe", 200],
    happy: ({ svc }) => svc.projects.listMine(),
    error: ({ svc }) => svc.projects.listMine({ cursor: "no cursor" }),
    refused: bad,
  },
};
