import { Svc } from "svc-sdk";

const composio = new Svc();

const session = await composio.toolRouter.create({
  user_id: "user-4711",
  toolkits: { enable: ["textkit"] },
});
console.log(session.id, session.mcp.url);
const found = await session.search({ queries: [{ use_case: "count words" }] });
console.log(found.results.length);
const run = await session.execute({
  tool_slug: "TEXTKIT_REVERSE",
  arguments: { text: "abc" },
});
console.log(run.error ?? run.data);
const meta = await session.executeMeta({
  slug: "SVC_SEARCH_TOOLS",
  arguments: { queries: [{ use_case: "count words" }] },
});
console.log(meta.log_id);
await session.update({ toolkits: { enable: ["github"] } });
const again = await composio.toolRouter.get(session.id);
console.log(again.record.config.user_id);
await session.delete();
