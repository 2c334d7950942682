// The snippets of the README, run by the tests against the emulator.
// #region start
// npm install svc-sdk, save this as first.mjs, then: node first.mjs
import { NotFoundError, Svc } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";

const emulator = createEmulator(); // local, no account needed
const svc = new Svc(emulator.connection); // production: new Svc({ baseUrl, apiKey }), or SVC_BASE_URL and SVC_API_KEY

const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
  user_id: "user-4711",
  version: "20251023_00", // pinned, so the tool can't change under you
  arguments: { owner: "octo-org", repo: "hello-world", title: "It works" },
});
console.log(run.successful ? run.data["html_url"] : run.error);

for await (const tool of svc.tools.list({ toolkit_slug: "github" })) console.log(tool.slug, tool.version);
const { total_items } = await svc.tools.list({ limit: 5 });

try {
  await svc.tools.get("github_create_an_issue");
} catch (error) {
  if (!(error instanceof NotFoundError)) throw error;
  console.log(total_items, error.condition, error.suggestedFix); // tool_not_found, did you mean GITHUB_CREATE_AN_ISSUE?
}
// #endregion

const secret = "whsec_demo_9f2c";

// #region receive
import { createReceiver } from "svc-sdk/webhooks";

const receiver = createReceiver({
  secret, // your webhook subscription's; by default SVC_WEBHOOK_SECRET
  on: { GITHUB_COMMIT_EVENT: ({ userId, payload }) => console.log(userId, payload) },
  onUnhandled: ({ type }) => console.log(`no handler for ${type}`),
}); // (request: Request) => Promise<Response>; svc-sdk/webhooks/node serves Express and Fastify
// #endregion
console.log((await receiver(new Request("https://app.example/webhooks"))).status);
