// Listens for commits, and receives one. Run it with: node examples/create-trigger.ts
import { Svc } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";
import { createReceiver, type Receiver } from "svc-sdk/webhooks";

// Your web server, where the service delivers events to. Here the emulator hands them over in this process.
const server: { receive?: Receiver } = {};
const emulator = createEmulator({
  clock: { running: true },
  deliveries: { fetch: async (request) => server.receive?.(request) ?? new Response(null, { status: 503 }) },
});
const svc = new Svc(emulator.connection);

// #region subscribe
const subscription = await svc.webhookSubscriptions.ensure({
  webhook_url: "https://app.example/webhooks/svc",
  enabled_events: ["svc.trigger.message", "svc.trigger.disabled"],
  version: "V3",
});
// #endregion

// #region receive
server.receive = createReceiver({
  secrets: [subscription.secret],
  on: {
    GITHUB_COMMIT_EVENT: (event) => console.log(`${event.userId} sees a commit: ${event.payload["message"]}`),
  },
  onUnknown: (delivery) => console.log(`not handled: ${delivery.type}`),
});
// #endregion

// #region trigger
const type = await svc.triggers.getType("GITHUB_COMMIT_EVENT");
console.log(`${type.name} needs ${Object.keys(Object(type.config["properties"])).join(" and ")}`);

const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
  connected_account_id: "ca_github_demo",
  trigger_config: { owner: "octo-org", repo: "hello-world" },
});
console.log(`${trigger_id} listens`);
// #endregion

// Somebody pushes a commit at GitHub.
emulator.triggers.fire(trigger_id, { id: "5f1e0c2", message: "Fix the typo", author: "octocat" });
await emulator.settled();

await svc.triggers.disable(trigger_id);
const { items } = await svc.triggers.listActive({ trigger_ids: [trigger_id], show_disabled: true });
console.log(items[0]?.disabled_at === null ? "it still listens" : `${trigger_id} rests`);
