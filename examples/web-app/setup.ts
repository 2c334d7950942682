// Prepares the project, once per deploy. Prints what the app reads from its environment. Run it with:
// node examples/web-app/setup.ts
// #region setup
import { Svc } from "svc-sdk";

const svc = new Svc();
const appUrl = process.env["APP_URL"] ?? "http://localhost:3000";

const authConfig = await svc.authConfigs.ensure({ toolkit: { slug: "github" } });
const { secret } = await svc.webhookSubscriptions.ensure({
  webhook_url: `${appUrl}/webhooks`,
  enabled_events: ["svc.trigger.message", "svc.connected_account.expired"],
});
console.log(`export GITHUB_AUTH_CONFIG=${authConfig.id}`);
console.log(`export SVC_WEBHOOK_SECRET=${secret}`);
// #endregion
