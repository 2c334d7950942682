import Composio from "@composio/client";

const composio = new Composio();

const session = await composio.toolRouter.session.create({
  user_id: "user-4711",
  toolkits: { enable: ["textkit"] },
});
console.log(session.session_id, session.mcp.url);
const found = await composio.toolRouter.session.search(session.session_id, { queries: [{ use_case: "count words" }] });
console.log(found.results.length);
const run = await composio.toolRouter.session.execute(session.session_id, {
  tool_slug: "TEXTKIT_REVERSE",
  arguments: { text: "abc" },
});
console.log(run.error ?? run.data);
const meta = await composio.toolRouter.session.executeMeta(session.session_id, {
  slug: "COMPOSIO_SEARCH_TOOLS",
  arguments: { queries: [{ use_case: "count words" }] },
});
console.log(meta.log_id);
await composio.toolRouter.session.patch(session.session_id, { toolkits: { enable: ["github"] } });
const again = await composio.toolRouter.session.retrieve(session.session_id);
console.log(again.config.user_id);
await composio.toolRouter.session.delete(session.session_id);
