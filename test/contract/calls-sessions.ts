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
    happy: open,
    error: ({ svc }) => svc.toolRouter.create({ user_id: "ada", toolkits: { enable: ["no-such-toolkit"] } }),
    refused: bad,
  },
  "toolRouter.get": {
    happy: async (context) => context.svc.toolRouter.get((await open(context)).id),
    error: ({ svc }) => svc.toolRouter.use("trs_unknown").get(),
    refused: missing,
  },
  "toolRouter.update": {
    happy: async (context) => (await open(context)).update({ toolkits: { enable: ["github"] } }),
    error: async (context) => (await open(context)).update({ toolkits: { enable: ["no-such-toolkit"] } }),
    refused: bad,
  },
  "toolRouter.delete": {
    happy: gone,
    error: async (context) => (await gone(context)).delete(),
    refused: missing,
  },
  "toolRouter.attach": {
    happy: async (context) => (await open(context)).attach(),
    error: async (context) => (await gone(context)).attach(),
    refused: missing,
  },
  "toolRouter.configHistory": {
    happy: async (context) => (await open(context)).configHistory(),
    error: async (context) => (await open(context)).configHistory({ cursor: "no cursor" }),
    refused: bad,
  },
  "toolRouter.search": {
    happy: async (context) => (await open(context)).search({ queries: [{ use_case: "open an issue" }] }),
    error: async (context) => (await gone(context)).search({ queries: [{ use_case: "open an issue" }] }),
    refused: missing,
  },
  "toolRouter.toolkits": {
    happy: async (context) => (await open(context)).toolkits({ is_connected: true }),
    error: async (context) => (await open(context)).toolkits({ cursor: "no cursor" }),
    refused: bad,
  },
  "toolRouter.tools": {
    happy: async (context) => (await open(context)).tools(),
    error: async (context) => (await open(context)).tools({ cursor: "no cursor" }),
    refused: bad,
  },
  "toolRouter.execute": {
    happy: async (context) =>
      (await open(context)).execute({ tool_slug: "WEATHERMAP_WEATHER", arguments: { city: "Lisbon" } }),
    error: async ({ svc }) => {
      const session = await svc.toolRouter.create({ user_id: "a-user-without-accounts" });
      return session.execute({ tool_slug: "WEATHERMAP_WEATHER", arguments: { city: "Lisbon" } });
    },
    refused: { ...bad, condition: "no_connected_account" },
  },
  "toolRouter.executeMeta": {
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
    happy: async (context) => (await open(context)).link({ toolkit: "github" }),
    error: async (context) => (await open(context)).link({ toolkit: "textkit" }),
    refused: bad,
  },
  "toolRouter.mountItems": {
    happy: async (context) => (await withFile(context)).items({ mount_relative_prefix: "notes/" }),
    error: async (context) => (await open(context)).mounts("no-such-mount").items(),
    refused: missing,
  },
  "toolRouter.mountUploadUrl": {
    happy: async (context) => (await open(context)).mounts().uploadUrl(path),
    error: async (context) => (await open(context)).mounts().uploadUrl({ mount_relative_path: "../elsewhere" }),
    refused: bad,
  },
  "toolRouter.mountDownloadUrl": {
    happy: async (context) => (await withFile(context)).downloadUrl(path),
    error: async (context) => (await open(context)).mounts().downloadUrl(path),
    refused: missing,
  },
  "toolRouter.mountDelete": {
    happy: async (context) => (await withFile(context)).delete(path),
    error: async (context) => (await open(context)).mounts().delete(path),
    refused: missing,
  },
};
