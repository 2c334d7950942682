// Asks what code sent, follows what happens in an emulator, and sends a webhook again. Run it with:
//   node examples/watch-emulator.ts
// #region watch
import { Svc } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";

const emulator = createEmulator({ deliveries: { fetch: async () => new Response("thanks") } });
const svc = new Svc(emulator.connection);
const unsubscribe = emulator.subscribe((activity) => {
  if (activity.type === "delivery" && activity.attempt !== null) {
    console.log(`${activity.delivery.type}: ${activity.attempt.status} ${activity.attempt.response?.body}`);
    // svc.connected_account.expired: 200 thanks
  }
});
// #endregion

// #region sent
await svc.tools.execute("TEXTKIT_REVERSE", { user_id: "ada", version: "latest", arguments: { text: "abc" } });
const sent = emulator.requests.at(-1);
console.log(sent?.operation, JSON.parse(sent?.body ?? "{}").arguments); // tools.execute { text: 'abc' }
// #endregion

// #region resend
await svc.webhookSubscriptions.create({
  webhook_url: "https://app.example/webhooks",
  enabled_events: ["svc.connected_account.expired"],
});
emulator.accounts.expire("ca_github_demo");
await emulator.waitForDeliveries();

const [delivery] = emulator.deliveries.items;
if (delivery) {
  emulator.deliveries.resend(delivery.id); // byte for byte
  emulator.deliveries.resend(delivery.id, { wrongSecret: true, skewSeconds: -600 });
}
await emulator.waitForDeliveries();
unsubscribe();
// #endregion
