import type { ConnectedAccounts } from "../../../src/resources/connected-accounts/connected-accounts.js";
import type { ConnectionState, ConnectionStateInput } from "../../../src/resources/connected-accounts/schema.js";
import type { Triggers } from "../../../src/resources/triggers/triggers.js";
import type { WebhookSubscriptions } from "../../../src/resources/webhook-subscriptions/webhook-subscriptions.js";

declare const accounts: ConnectedAccounts;
declare const triggers: Triggers;
declare const subscriptions: WebhookSubscriptions;
declare const state: ConnectionState;

export async function whatCompiles(): Promise<void> {
  for await (const account of accounts.list({ user_ids: ["u"], statuses: ["ACTIVE"] })) {
    // An unknown status is a string like any other.
    account.status satisfies string;
  }
  await accounts.refresh("ca_1");
  await accounts.waitUntilActive("ca_1", { deadlineMs: 5_000, priority: "high" });
  await subscriptions.ensure({ webhook_url: "https://a.example", enabled_events: ["svc.some.newer_event"] });
  await accounts.create({
    auth_config: { id: "ac_1" },
    connection: { state: { authScheme: "API_KEY", val: { status: "ACTIVE", api_key: "k", tenant: "own key" } } },
  });
}

export function aStateNarrows(): string | undefined {
  if (state.authScheme === "OAUTH2" && state.val.status === "ACTIVE") {
    state.val.refresh_token satisfies string | null | undefined;
    return state.val.access_token;
  }
  if (state.authScheme === "BASIC" && state.val.status === "INACTIVE") return state.val.username;
  if (state.authScheme === "OAUTH2" && state.val.status === "INITIATED") return state.val.redirectUrl;
  return state.val["your-domain"];
}

export function whatMustNotCompile(): void {
  // @ts-expect-error a token is only there for its scheme and status
  state.val.access_token satisfies string;
  // @ts-expect-error the token of another scheme
  if (state.authScheme === "API_KEY" && state.val.status === "ACTIVE") state.val.access_token satisfies string;
  // @ts-expect-error API names aren't re-cased
  void accounts.list({ userIds: ["u"] });
  // @ts-expect-error request enums are closed
  void accounts.list({ statuses: ["active"] });
  // @ts-expect-error the update takes the specification's 16 values and no others
  void accounts.update("ca_1", { connection: { state: { authScheme: "API_KEY", val: { access_token: "t" } } } });
  // @ts-expect-error OAuth values can't be patched
  void accounts.update("ca_1", { connection: { state: { authScheme: "OAUTH2", val: {} } } });
  // @ts-expect-error a link needs its user
  void accounts.link({ auth_config_id: "ac_1" });
  // @ts-expect-error a bearer connection needs its token
  ({ authScheme: "BEARER_TOKEN", val: { status: "ACTIVE" } }) satisfies ConnectionStateInput;
  // @ts-expect-error values need their status
  ({ authScheme: "API_KEY", val: { api_key: "k" } }) satisfies ConnectionStateInput;
  // @ts-expect-error a pause between looks is not an option
  void accounts.waitUntilActive("ca_1", { intervalMs: 1_000 });
  // @ts-expect-error the id is positional
  void accounts.get({ id: "ca_1" });
  // @ts-expect-error enable and disable take no body
  void triggers.enable("ti_1", { status: "enable" });
  // @ts-expect-error V4 isn't a payload version
  void subscriptions.update("ws_1", { version: "V4" });
}
