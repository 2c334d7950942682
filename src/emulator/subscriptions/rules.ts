import type { EventType, PayloadVersion } from "../../resources/events/schema.js";
import type { WebhookEventTypeList, WebhookSubscription } from "../../resources/webhook-subscriptions/schema.js";
import { invalidRequest } from "../refusal.js";

/** The event types of the service, with the formats each exists in. Spec: Events. */
export const EVENT_TYPE_LIST: WebhookEventTypeList["items"] = [
  {
    event_type: "svc.trigger.message",
    description: "An event of an enabled trigger instance.",
    supported_versions: ["V1", "V2", "V3"],
  },
  {
    event_type: "svc.connected_account.expired",
    description: "A connected account entered EXPIRED.",
    supported_versions: ["V3"],
  },
  {
    event_type: "svc.connected_account.activated",
    description: "A connected account was activated.",
    supported_versions: ["V3"],
  },
  {
    event_type: "svc.trigger.disabled",
    description: "The service disabled a trigger instance.",
    supported_versions: ["V3"],
  },
];

const ADDRESS_RULE = "expected an https address without user name and password";

/** What of a subscription has to fit together. */
interface Settings {
  readonly webhook_url: string;
  readonly version: WebhookSubscription["version"] | PayloadVersion;
  readonly enabled_events: readonly EventType[];
}

/**
 * Checks what a subscription would be after a creation or an update. See assumption E28.
 *
 * @throws {Refusal} 400 for an address that nothing can be posted to, an unknown event type, and one that the version lacks.
 */
export function checkSettings({ webhook_url: address, version, enabled_events: types }: Settings): void {
  const complaints = types.flatMap((type, index) => {
    const known = EVENT_TYPE_LIST.find(({ event_type: name }) => name === type);
    if (!known) return [`body.enabled_events[${index}]: there is no event type ${type}`];
    return known.supported_versions.includes(version)
      ? []
      : [`body.enabled_events[${index}]: ${type} does not exist in ${version}, only in V3`];
  });
  const all = isPostable(address) ? complaints : [`body.webhook_url: ${ADDRESS_RULE}`, ...complaints];
  if (all.length > 0) throw invalidRequest(all);
}

/** Whether a delivery can be sent to an address: `fetch` takes none that holds credentials. */
function isPostable(address: string): boolean {
  const { username, password } = new URL(address);
  return /^https?:\/\//i.test(address) && username === "" && password === "";
}
