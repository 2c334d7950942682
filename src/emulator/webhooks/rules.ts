import { hint } from "../../errors/mismatch-words.js";
import { type EVENT_TYPES, type EventType, PAYLOAD_VERSIONS } from "../../resources/events/schema.js";
import type { WebhookEventTypeList, WebhookSubscription } from "../../resources/webhook-subscriptions/schema.js";
import { isLoopback } from "../../shared/environment.js";
import { invalidRequest } from "../engine/responses.js";

/** The service's event types. Spec: Events. */
const DESCRIPTIONS = {
  "svc.trigger.message": "An event of an enabled trigger instance.",
  "svc.connected_account.expired": "A connected account entered EXPIRED.",
  "svc.connected_account.activated": "A connected account was activated.",
  "svc.trigger.disabled": "The service disabled a trigger instance.",
} as const satisfies Record<(typeof EVENT_TYPES)[number], string>;

/** The event types and their formats: the older formats have trigger messages only. */
export const EVENT_TYPE_LIST: WebhookEventTypeList["items"] = Object.entries(DESCRIPTIONS).map(
  ([event_type, description]) => ({
    event_type,
    description,
    supported_versions: event_type === "svc.trigger.message" ? PAYLOAD_VERSIONS.toReversed() : [PAYLOAD_VERSIONS[0]],
  }),
);

/** Settings of a subscription that are checked together. */
type SubscriptionSettings = Pick<WebhookSubscription, "webhook_url" | "version"> & {
  readonly enabled_events: readonly EventType[];
};

/**
 * Checks a subscription before it's created or updated. Assumption E28.
 *
 * @throws {ApiFailure} 400 for a URL that can't be posted to, an unknown event type, or one that the version doesn't
 * have.
 */
export function checkSettings({ webhook_url: url, version, enabled_events: types }: SubscriptionSettings): void {
  const errors = types.flatMap((type, index) => {
    const known = EVENT_TYPE_LIST.find(({ event_type: name }) => name === type);
    if (!known) return [`body.enabled_events[${index}]: ${unknownEvent(type)}`];
    return known.supported_versions.includes(version)
      ? []
      : [
          `body.enabled_events[${index}]: ${type} does not exist in ${version}, only in ${known.supported_versions.join(" and ")}`,
        ];
  });
  const urlProblem = problemOf(url);
  const all = urlProblem === undefined ? errors : [`body.webhook_url: ${urlProblem}`, ...errors];
  if (all.length > 0) throw invalidRequest(all);
}

/** Slugs of trigger types are in capitals, types of events aren't. */
function unknownEvent(type: string): string {
  if (/^[A-Z][A-Z0-9]*_\w+$/.test(type))
    return `${type} is a trigger type. Its events are svc.trigger.message: enable that`;
  return `there is no event type ${type}${hint(type, Object.keys(DESCRIPTIONS))}`;
}

/** Why no delivery can be sent to a URL. `fetch` rejects URLs that contain credentials. */
function problemOf(url: string): string | undefined {
  const { username, password } = new URL(url);
  if (/^https?:\/\//i.test(url)) {
    return username === "" && password === "" ? undefined : "expected an https URL without user name and password";
  }
  // Of `localhost:3000/webhooks`, the host would be the scheme. The rest of a URL may contain a secret.
  const [, host, name = ""] = /^(([\w.-]+):\d+)(?:[/?#]|$)/.exec(url) ?? [];
  if (host === undefined) return "expected an https URL";
  return `the scheme is missing: write ${isLoopback(name) ? "http" : "https"}://${host}`;
}
