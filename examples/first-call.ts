// The getting-started guide's first program. Run it with: node examples/first-call.ts
// #region client
import { NotFoundError, Svc } from "svc-sdk";

const svc = new Svc(); // SVC_BASE_URL and SVC_API_KEY, from the environment; or new Svc({ baseUrl, apiKey })
// #endregion

// #region list
for await (const tool of svc.tools.list({ toolkit_slug: "github" })) {
  console.log(tool.slug, tool.available_versions.join(", "));
}
// #endregion

// #region execute
const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
  user_id: "user-4711",
  version: "20251023_00",
  arguments: { owner: "octo-org", repo: "hello-world", title: "It works" },
});
if (run.successful) console.log(`Opened ${run.data["html_url"]}`);
else console.error(`GitHub rejected it: ${run.error}`);
// #endregion

// #region error
try {
  await svc.tools.get("github_create_an_issue");
} catch (error) {
  if (!(error instanceof NotFoundError)) throw error;
  console.log(`${error.condition}: ${error.suggestedFix}`);
}
// #endregion
