import type { OperationName } from "../../src/contract/index.js";
import { AuthenticationError, BadRequestError, ConflictError, NotFoundError } from "../../src/index.js";
import type { Case, CaseContext } from "./case.js";

type Name = Extract<OperationName, `mcp.${string}` | `projects.${string}`>;

const missing = { as: NotFoundError, status: 404 };
const bad = { as: BadRequestError, status: 400 };
const wrongKey = { as: AuthenticationError, status: 401, condition: "invalid_api_key" } as const;

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
    happy: async (context) => {
      await aServer(context);
      return context.svc.mcp.list();
    },
    error: ({ stranger }) => stranger.mcp.list(),
    refused: wrongKey,
  },
  "mcp.create": {
    happy: aServer,
    error: ({ svc }) => svc.mcp.create({ name: "Code server", auth_config_ids: ["ac_unknown"] }),
    refused: missing,
  },
  "mcp.createCustom": {
    happy: ({ svc }) => svc.mcp.createCustom({ name: "Texts", toolkits: ["textkit"] }),
    error: ({ svc }) => svc.mcp.createCustom({ name: "Texts", toolkits: ["no-such-toolkit"] }),
    refused: bad,
  },
  "mcp.generateUrl": {
    happy: async (context) =>
      context.svc.mcp.generateUrl({ mcp_server_id: await aServer(context), user_ids: ["user-4711"] }),
    error: ({ svc }) => svc.mcp.generateUrl({ mcp_server_id: "no-such-server" }),
    refused: missing,
  },
  "mcp.get": {
    happy: async (context) => context.svc.mcp.get(await aServer(context)),
    error: ({ svc }) => svc.mcp.get("no-such-server"),
    refused: missing,
  },
  "mcp.update": {
    happy: async (context) => context.svc.mcp.update(await aServer(context), { name: "Renamed" }),
    error: ({ svc }) => svc.mcp.update("no-such-server", { name: "Renamed" }),
    refused: missing,
  },
  "mcp.delete": {
    happy: async (context) => context.svc.mcp.delete(await aServer(context)),
    error: ({ svc }) => svc.mcp.delete("no-such-server"),
    refused: missing,
  },
  "mcp.listByApp": {
    happy: async (context) => {
      await aServer(context);
      return context.svc.mcp.listByApp("github");
    },
    error: ({ svc }) => svc.mcp.listByApp("no-such-app"),
    refused: missing,
  },
  "mcp.listInstances": {
    happy: async (context) => context.svc.mcp.listInstances((await anInstance(context)).serverId),
    error: ({ svc }) => svc.mcp.listInstances("no-such-server"),
    refused: missing,
  },
  "mcp.createInstance": {
    happy: anInstance,
    error: async (context) => {
      const { serverId } = await anInstance(context);
      await context.svc.mcp.createInstance(serverId, { user_id: "user-4711" });
    },
    refused: { as: ConflictError, status: 409 },
  },
  "mcp.deleteInstance": {
    happy: async (context) => {
      const { serverId, instance } = await anInstance(context);
      return context.svc.mcp.deleteInstance(serverId, instance.id);
    },
    error: async (context) => context.svc.mcp.deleteInstance(await aServer(context), "no-such-instance"),
    refused: missing,
  },

  "projects.create": {
    happy: aProject,
    error: ({ unchecked }) => unchecked.projects.create({ name: "x" }),
    refused: bad,
  },
  "projects.list": {
    happy: ({ svc }) => svc.projects.list(),
    error: ({ svc }) => svc.projects.list({ cursor: "no cursor" }),
    refused: bad,
  },
  "projects.get": {
    happy: async (context) => context.svc.projects.get(await aProject(context)),
    error: ({ svc }) => svc.projects.get("pr_unknown"),
    refused: missing,
  },
  "projects.delete": {
    happy: async (context) => context.svc.projects.delete(await aProject(context)),
    error: ({ svc }) => svc.projects.delete("pr_unknown"),
    refused: missing,
  },
  "projects.regenerateApiKey": {
    happy: async (context) => context.svc.projects.regenerateApiKey(await aProject(context)),
    error: ({ svc }) => svc.projects.regenerateApiKey("pr_unknown"),
    refused: missing,
  },
  "projects.getConfig": {
    happy: ({ svc }) => svc.projects.getConfig(),
    error: ({ stranger }) => stranger.projects.getConfig(),
    refused: wrongKey,
  },
  "projects.updateConfig": {
    happy: ({ svc }) => svc.projects.updateConfig({ display_name: "Acme" }),
    error: ({ unchecked }) => unchecked.projects.updateConfig({ signed_url_file_expiry_in_seconds: 0 }),
    refused: bad,
  },
  "projects.listOrganizations": {
    happy: ({ svc }) => svc.projects.listOrganizations(),
    error: ({ stranger }) => stranger.projects.listOrganizations(),
    refused: wrongKey,
  },
  "projects.listMine": {
    happy: ({ svc }) => svc.projects.listMine(),
    error: ({ svc }) => svc.projects.listMine({ cursor: "no cursor" }),
    refused: bad,
  },
};
