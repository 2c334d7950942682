// The first five minutes with svc-sdk, with its own local service. Run it with: npm run quickstart
import { NotFoundError, observe, Svc, ToolVersionRequiredError } from "svc-sdk";
import { startEmulator } from "svc-sdk/emulator/node";

const emulator = await startEmulator({ rateLimit: { limit: 12, windowSeconds: 2 } });
const svc = new Svc(emulator.connection); // your app uses new Svc(), with SVC_BASE_URL and keys in the environment
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
const call = { user_id: "user-4711", arguments: issue };
const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { ...call, version: "20251023_00" });
say(run.successful ? `   ${run.data["html_url"]}` : `   GitHub rejected it: ${run.error}`);

say("5. The same without a version is rejected before anything is sent:");
try {
  await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", call);
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

say("7. This emulator's rate limit is low. One client uses it up, and another waits for it:");
while (svc.rateLimit.remaining !== 0) await svc.tools.listSlugs();
const logStatus = observe((event) => event.type === "response" && say(`   status ${event.status}`));
const other = new Svc({ ...emulator.connection, use: [logStatus] });
const startedAt = Date.now();
const { attempts } = (await other.tools.listSlugs().withResponse()).meta;
say(`   succeeded at attempt ${attempts}, after ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
await emulator.close();
