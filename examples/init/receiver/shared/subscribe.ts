import type { Svc } from "svc-sdk";

/** Subscribes this app to events. */
export function subscribe(svc: Svc, appUrl: string): Promise<{ id: string; secret: string }> {
  return svc.webhookSubscriptions.ensure({
    webhook_url: `${appUrl}/webhooks`,
    enabled_events: ["svc.trigger.message", "svc.connected_account.expired"],
  });
}
