// The first five minutes with svc-sdk, against a local service. Run it with: npm run quickstart
import { NotFoundError, observe, Svc, ToolVersionRequiredError } from "svc-sdk";

const svc = new Svc(); // SVC_BASE_URL and the keys come from the environment
const say = console.log;

say("1. Who is calling?");
const info = await svc.session.info();
say(`   ${info.org_member.name} <${info.org_member.email}>, project ${info.project?.name}`);

say("2. Let users connect GitHub accounts:");
const created = await svc.authConfigs.create({ toolkit: { slug: "github" } });
say(`   ${created.auth_config.id}, ${created.auth_config.auth_scheme}, managed: ${created.auth_config.is_svc_managed}`);

say("3. Which tools are there? Three a page, every page:");
for await (const tool of svc.tools.list({ toolkit_slug: "github,textkit", limit: 3 })) {
  say(`   ${tool.slug.padEnd(32)} ${tool.version}  of ${tool.available_versions.join(", ")}`);
}

say("4. Open an issue for a user, in a pinned version:");
const issue = { owner: "octo-org", repo: "hello-world", title: "It works" };
const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
  user_id: "user-4711",
  version: "20251023_00",
  arguments: issue,
});
say(run.successful ? `   ${run.data["html_url"]}` : `   GitHub rejected it: ${run.error}`);

say("5. The same without a version is rejected before anything is sent:");
try {
  await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id: "user-4711", arguments: issue });
} catch (error) {
  if (!(error instanceof ToolVersionRequiredError)) throw error;
  say(`   ${error.name}: ${error.message}`);
}

say("6. A slug in the wrong case:");
try {
  await svc.tools.get("github_create_an_issue");
} catch (error) {
  if (!(error instanceof NotFoundError)) throw error;
  say(`   ${error.name} (${error.condition}): ${error.suggestedFix}`);
}

say("7. The rate limit is low here. One client uses it up, and another waits for it:");
while (svc.rateLimit.remaining !== 0) await svc.tools.enum();
const other = new Svc({ use: [observe((event) => event.type === "response" && say(`   status ${event.status}`))] });
const startedAt = Date.now();
const { meta } = await other.tools.enum().withResponse();
say(`   succeeded at attempt ${meta.attempts}, after ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
