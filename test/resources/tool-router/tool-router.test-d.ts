// Compiled, never run: what must not compile is marked, and the compiler says when a mark is no longer needed.
import type { Files } from "../../../src/resources/files/files.js";
import type { Logs } from "../../../src/resources/logs/logs.js";
import type { Mcp } from "../../../src/resources/mcp/mcp.js";
import type { Projects } from "../../../src/resources/projects/projects.js";
import type {
  CreateToolRouterSessionBody,
  ToolRouterSessionRecord,
  UpdateToolRouterSessionBody,
} from "../../../src/resources/tool-router/schema.js";
import type { ToolRouter } from "../../../src/resources/tool-router/tool-router.js";
import type { ToolRouterSession } from "../../../src/resources/tool-router/tool-router-session.js";
import type { Usage } from "../../../src/resources/usage/usage.js";

export async function sessions(toolRouter: ToolRouter): Promise<void> {
  const session: ToolRouterSession = await toolRouter.create({ user_id: "u", toolkits: { enable: ["github"] } });
  const record: ToolRouterSessionRecord = session.record;
  const headers: Readonly<Record<string, string>> = session.mcp.headers;
  const { data, meta } = await toolRouter.get("trs_1").withResponse();
  for await (const tool of data.tools({ limit: 500 })) tool.slug.toUpperCase();
  for await (const item of session.mounts().items()) item.size.toFixed();
  const run = await session.execute({ tool_slug: "GITHUB_CREATE_AN_ISSUE", arguments: { title: "t" } });
  if (run.error !== null) run.error.toUpperCase();
  void [record, headers, meta.attempts];

  // @ts-expect-error a session has a user
  await toolRouter.create({ toolkits: { enable: ["github"] } });
  // @ts-expect-error wire names are not re-cased
  await toolRouter.create({ userId: "u" });
  // @ts-expect-error a handle without a request has no record
  toolRouter.use("trs_1").record;
  // @ts-expect-error nor an MCP address
  toolRouter.use("trs_1").mcp;
  // @ts-expect-error the record is what was received: it has no headers
  record.mcp.headers;
  // @ts-expect-error success is `error === null`: there is no `successful` here
  run.successful;
  // @ts-expect-error no user in a session's calls
  await session.execute({ tool_slug: "X", user_id: "u" });
  // @ts-expect-error no version in a session's calls
  await session.execute({ tool_slug: "X", version: "latest" });
  // @ts-expect-error only the session's meta tools
  await session.executeMeta({ slug: "GITHUB_CREATE_AN_ISSUE" });
  // @ts-expect-error the session names the account by its toolkit
  await session.proxy({ endpoint: "/user", method: "GET", connected_account_id: "ca_1" });
  // @ts-expect-error the handle is not changed in place
  session.record = record;
}

export const bothKeys: CreateToolRouterSessionBody = {
  user_id: "u",
  // @ts-expect-error either all but some, or only some
  toolkits: { enable: ["github"], disable: ["slack"] },
};
export const wrongHint: CreateToolRouterSessionBody = {
  user_id: "u",
  // @ts-expect-error hints are a closed list in requests
  tags: ["harmlessHint"],
};
export const schemaWithoutProperties: CreateToolRouterSessionBody = {
  user_id: "u",
  experimental: {
    custom_tools: [
      // @ts-expect-error arguments are an object schema with properties
      { slug: "t", name: "t", description: "t", input_schema: { type: "object" } },
    ],
  },
};
export const reset: UpdateToolRouterSessionBody = { workbench: null, connected_accounts: null };
// @ts-expect-error the user of a session cannot change
export const otherUser: UpdateToolRouterSessionBody = { user_id: "v" };
// @ts-expect-error what is always there cannot be reset
export const noSearch: UpdateToolRouterSessionBody = { search: null };

export async function others(files: Files, logs: Logs, mcp: Mcp, projects: Projects, usage: Usage): Promise<void> {
  const argument = await files.upload(new Uint8Array(3), {
    toolkit_slug: "gmail",
    tool_slug: "GMAIL_SEND_EMAIL",
    filename: "a.txt",
    mimetype: "text/plain",
  });
  argument.s3key.toUpperCase();
  const { bytes, mimetype } = await files.download({ s3url: "https://storage.example/a" });
  void [bytes.byteLength, mimetype?.length];
  // Web APIs take the bytes as they are.
  void [new Blob([bytes]), new Response(bytes), await crypto.subtle.digest("SHA-256", bytes)];
  for await (const log of logs.listToolExecutions()) log.timestamp.toUpperCase();
  for await (const project of projects.list()) project.name.toUpperCase();
  (await usage.getOrganization("tool_calls")).groups[0]?.total_quantity.toUpperCase();

  // @ts-expect-error a tool must know what the file is
  await files.upload(new Uint8Array(3), { toolkit_slug: "gmail", tool_slug: "GMAIL_SEND_EMAIL", filename: "a.txt" });
  // @ts-expect-error the checksum is computed, not given
  await files.upload(new Uint8Array(3), { ...argument, md5: "0" });
  // @ts-expect-error numbered pages have no cursor to follow
  mcp.list()[Symbol.asyncIterator]();
  // @ts-expect-error nothing else is counted
  await usage.getProject("tokens");
  // @ts-expect-error only an organization has projects to choose from
  await usage.getProject("sessions", { filters: { project_id: "pr_1" } });
  // @ts-expect-error entries are in `logs`
  (await logs.listToolExecutions()).items;
}
