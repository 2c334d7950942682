// The snippets of the README, run by the tests against the emulator.
// #region setup
import { ApiError, NotFoundError, RateLimitError, Svc } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";
import { createReceiver } from "svc-sdk/webhooks";

const emulator = createEmulator(); // a local service, no account needed
const svc = new Svc(emulator.connection); // a real one: new Svc({ baseUrl, apiKey }), or SVC_BASE_URL and SVC_API_KEY
// #endregion

// #region execute
const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
  user_id: "user-4711",
  version: "20251023_00",
  arguments: { owner: "octo-org", repo: "hello-world", title: "It works" },
});
if (run.successful) console.log(run.data["html_url"]);
else console.error(`GitHub refused: ${run.error}`);
// #endregion

// #region page
for await (const tool of svc.tools.list({ toolkit_slug: "github" })) console.log(tool.slug, tool.version);
const page = await svc.tools.list({ limit: 5 });
console.log(`${page.items.length} of ${page.total_items}`);
// #endregion

// #region errors
try {
  await svc.tools.get("github_create_an_issue");
} catch (error) {
  if (error instanceof NotFoundError && error.condition === "tool_not_found") console.log(error.suggestedFix);
  else if (error instanceof RateLimitError) console.log(`come back at ${error.retryAt?.toISOString()}`);
  else if (error instanceof ApiError) console.log(error.status, error.slug, error.requestId);
  else throw error;
}
// #endregion

// #region emulator
emulator.faults.next("tools.enum", { status: 503 });
console.log((await svc.tools.enum().withResponse()).meta.attempts); // 2
// #endregion

const secret = "whsec_demo_9f2c";
// #region receive
const receiver = createReceiver({
  secret, // of your webhook subscription; without it, SVC_WEBHOOK_SECRET
  on: { GITHUB_COMMIT_EVENT: ({ userId, payload }) => console.log(userId, payload) },
  onUnknown: ({ type }) => console.log(`nobody handles ${type}`),
}); // (request: Request) => Promise<Response>, for Workers, Hono, Next; svc-sdk/webhooks/node serves Express and Fastify
// #endregion
console.log((await receiver(new Request("https://app.example/webhooks"))).status);
