import type { OperationName } from "../../src/contract/index.js";
import { BadRequestError, NotFoundError } from "../../src/index.js";
import type { Case, CaseContext } from "./case.js";

type Name = Extract<OperationName, `toolRouter.${string}`>;

const missing = { as: NotFoundError, status: 404 };
const bad = { as: BadRequestError, status: 400 };

/** A session of the user who has connected GitHub, Slack and Weathermap. */
function open({ svc }: CaseContext) {
  return svc.toolRouter.create({ user_id: "user-4711" });
}

/** A handle on a session that was deleted. */
async function gone(context: CaseContext) {
  const session = await open(context);
  await session.delete();
  return session;
}

const path = { mount_relative_path: "notes/today.txt" };

/** A session with one file. */
async function withFile(context: CaseContext) {
  const mount = (await open(context)).mounts();
  const { upload_url } = await mount.uploadUrl({ ...path, mimetype: "text/plain" });
  const headers = { "content-type": "text/plain" };
  await context.emulator.fetch(upload_url, { method: "PUT", headers, body: "It rains." });
  return mount;
}

export const sessions: Readonly<Record<Name, Case>> = {
  "toolRouter.create": {
    published: ["POST", "both", "/tool_router/session", "P", "effect", 201],
    happy: open,
    error: ({ svc }) => svc.toolRouter.create({ user_id: "ada", toolkits: { enable: ["no-such-toolkit"] } }),
    refused: bad,
  },
  "toolRouter.get": {
    published: ["GET", "both", "/tool_router/session/{session_id}", "P", "safe", 200],
    happy: async (context) => context.svc.toolRouter.get((await open(context)).id),
    error: ({ svc }) => svc.toolRouter.use("trs_unknown").get(),
    refused: missing,
  },
  "toolRouter.update": {
    published: ["PATCH", "v3.1", "/tool_router/session/{session_id}", "P", "idempotent", 200],
    happy: async (context) => (await open(context)).update({ toolkits: { enable: ["github"] } }),
    error: async (context) => (await open(context)).update({ toolkits: { enable: ["no-such-toolkit"] } }),
    refused: bad,
  },
  "toolRouter.delete": {
    published: ["DELETE", "v3.1", "/tool_router/session/{session_id}", "P", "idempotent", 200],
    happy: gone,
    error: async (context) => (await gone(context)).delete(),
    refused: missing,
  },
  "toolRouter.attach": {
    published: ["POST", "v3.1", "/tool_router/session/{session_id}/attach", "P", "idempotent", 200],
    happy: async (context) => (await open(context)).attach(),
    error: async (context) => (await gone(context)).attach(),
    refused: missing,
  },
  "toolRouter.configHistory": {
    published: ["GET", "v3.1", "/tool_router/session/{session_id}/config_history", "P", "safe", 200],
    happy: async (context) => (await open(context)).configHistory(),
    error: async (context) => (await open(context)).configHistory({ cursor: "no cursor" }),
    refused: bad,
  },
  "toolRouter.search": {
    published: ["POST", "both", "/tool_router/session/{session_id}/search", "P", "safe", 200],
    happy: async (context) => (await open(context)).search({ queries: [{ use_case: "open an issue" }] }),
    error: async (context) => (await gone(context)).search({ queries: [{ use_case: "open an issue" }] }),
    refused: missing,
  },
  "toolRouter.toolkits": {
    published: ["GET", "both", "/tool_router/session/{session_id}/toolkits", "P", "safe", 200],
    happy: async (context) => (await open(context)).toolkits({ is_connected: true }),
    error: async (context) => (await open(context)).toolkits({ cursor: "no cursor" }),
    refused: bad,
  },
  "toolRouter.tools": {
    published: ["GET", "both", "/tool_router/session/{session_id}/tools", "P", "safe", 200],
    happy: async (context) => (await open(context)).tools(),
    error: async (context) => (await open(context)).tools({ cursor: "no cursor" }),
    refused: bad,
  },
  "toolRouter.execute": {
    published: ["POST", "both", "/tool_router/session/{session_id}/execute", "P", "effect", 200],
    happy: async (context) =>
      (await open(context)).execute({ tool_slug: "WEATHERMAP_WEATHER", arguments: { city: "Lisbon" } }),
    error: async ({ svc }) => {
      const session = await svc.toolRouter.create({ user_id: "a-user-without-accounts" });
      return session.execute({ tool_slug: "WEATHERMAP_WEATHER", arguments: { city: "Lisbon" } });
    },
    refused: { ...bad, condition: "no_connected_account" },
  },
  "toolRouter.executeMeta": {
    published: ["POST", "both", "/tool_router/session/{session_id}/execute_meta", "P", "effect", 200],
    happy: async (context) =>
      (await open(context)).executeMeta({
        slug: "SVC_SEARCH_TOOLS",
        arguments: { queries: [{ use_case: "open an issue" }] },
      }),
    // A session shows it only if its configuration enables it.
    error: async (context) => (await open(context)).executeMeta({ slug: "SVC_WAIT_FOR_CONNECTIONS" }),
    refused: bad,
  },
  "toolRouter.proxy": {
    published: ["POST", "both", "/tool_router/session/{session_id}/proxy_execute", "PU", "effect", 200],
    happy: async (context) =>
      (await open(context)).proxy({
        toolkit_slug: "weathermap",
        endpoint: "/weather",
        method: "GET",
        parameters: [{ name: "city", value: "Lisbon", type: "query" }],
      }),
    error: async (context) => (await open(context)).proxy({ toolkit_slug: "textkit", endpoint: "/", method: "GET" }),
    refused: bad,
  },
  "toolRouter.link": {
    published: ["POST", "both", "/tool_router/session/{session_id}/link", "P", "effect", 201],
    happy: async (context) => (await open(context)).link({ toolkit: "github" }),
    error: async (context) => (await open(context)).link({ toolkit: "textkit" }),
    refused: bad,
  },
  "toolRouter.mountItems": {
    published: ["GET", "both", "/tool_router/session/{session_id}/mounts/{mount_id}/items", "P", "safe", 200],
    happy: async (context) => (await withFile(context)).items({ mount_relative_prefix: "notes/" }),
    error: async (context) => (await open(context)).mounts("no-such-mount").items(),
    refused: missing,
  },
  "toolRouter.mountUploadUrl": {
    published: ["POST", "both", "/tool_router/session/{session_id}/mounts/{mount_id}/upload_url", "P", "effect", 201],
    happy: async (context) => (await open(context)).mounts().uploadUrl(path),
    error: async (context) => (await open(context)).mounts().uploadUrl({ mount_relative_path: "../elsewhere" }),
    refused: bad,
  },
  "toolRouter.mountDownloadUrl": {
    published: ["POST", "both", "/tool_router/session/{session_id}/mounts/{mount_id}/download_url", "P", "safe", 201],
    happy: async (context) => (await withFile(context)).downloadUrl(path),
    error: async (context) => (await open(context)).mounts().downloadUrl(path),
    refused: missing,
  },
  "toolRouter.mountDelete": {
    published: ["POST", "both", "/tool_router/session/{session_id}/mounts/{mount_id}/delete", "P", "idempotent", 200],
    happy: async (context) => (await withFile(context)).delete(path),
    error: async (context) => (await open(context)).mounts().delete(path),
    refused: missing,
  },
};
