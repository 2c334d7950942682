// The snippets in the README and in the docs of lists, run by the tests against the emulator.
// #region start
import { Svc } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";

const emulator = createEmulator(); // a local copy of the service, no account needed
const svc = new Svc(emulator.connection); // in production: new Svc({ baseUrl, apiKey })

const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
  user_id: "user-4711",
  version: "20251023_00", // pinned, so the tool can't change under you
  arguments: { owner: "octo-org", repo: "hello-world", title: "It works" },
});
console.log(run.successful ? `Opened ${run.data["html_url"]}` : run.error);
// Opened https://github.example.com/octo-org/hello-world/issues/1
// #endregion

// #region list
for await (const tool of svc.tools.list({ toolkit_slug: "github" })) console.log(tool.slug, tool.version);
const { total_items } = await svc.tools.list({ limit: 5 });
// #endregion
console.log(total_items);
