import { createEmulator, type Emulator, type EmulatorOptions, type EmulatorSeed } from "../../../src/emulator/index.js";
import { Svc, type WebhookSubscription } from "../../../src/index.js";
import type { KnownEventType, PayloadVersion } from "../../../src/webhooks/index.js";
import { checkDeclared } from "../../support/declared-fields.js";

/** One user, ada, with GitHub connected. */
export const seed: EmulatorSeed = {
  keys: [{ kind: "apiKey", value: "ak_emulator" }],
  authConfigs: [{ id: "ac_github", toolkit: "github" }],
  connectedAccounts: [{ id: "ca_github", userId: "ada", authConfigId: "ac_github" }],
};

/** Payload of the trigger in these tests. */
export const commit = { id: "c0ffee", message: "Fix", author: "ada" };

/** A delivery as received. */
export interface Received {
  readonly url: string;
  readonly method: string;
  readonly redirect: RequestRedirect;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body, parsed. */
  readonly event: Readonly<Record<string, unknown>>;
  /** The emulator's time, in milliseconds. */
  readonly at: number;
}

/** Responds to a delivery with a status or a function of the request. */
export type Step = number | ((request: Request) => Response | Promise<Response>);

/** An emulator whose deliveries are collected. Each gets the response of the next step; the last step repeats. */
export class Post {
  readonly received: Received[] = [];
  readonly emulator: Emulator;
  readonly svc: Svc;
  readonly #steps: readonly Step[];

  constructor(steps: readonly Step[] = [200], options: EmulatorOptions = {}) {
    this.#steps = steps;
    const fetch = (request: Request) => this.#take(request);
    this.emulator = createEmulator({
      seed,
      project: { subscriptionsPerProject: 5 },
      ...options,
      deliveries: { fetch, ...options.deliveries },
    });
    this.svc = new Svc({ ...this.emulator.connection, use: [checkDeclared()], env: {} });
  }

  async #take(request: Request): Promise<Response> {
    const body = await request.clone().text();
    const { url, method, redirect } = request;
    const headers = Object.fromEntries(request.headers);
    const at = this.emulator.clock.now();
    this.received.push({ url, method, redirect, headers, body, event: JSON.parse(body), at });
    const step = this.#steps[Math.min(this.received.length, this.#steps.length) - 1] ?? 200;
    return typeof step === "number" ? new Response(step === 204 ? null : "ok", { status: step }) : step(request);
  }

  subscribe(
    version: PayloadVersion = "V3",
    enabled_events: KnownEventType[] = ["svc.trigger.message"],
    webhook_url = "https://app.example.com/hooks",
  ): Promise<WebhookSubscription> {
    return this.svc.webhookSubscriptions.create({ webhook_url, enabled_events, version });
  }

  /** The id of an enabled trigger instance. */
  async trigger(): Promise<string> {
    const trigger_config = { owner: "octo-org", repo: "hello-world" };
    const body = { connected_account_id: "ca_github", trigger_config };
    return (await this.svc.triggers.upsert("GITHUB_COMMIT_EVENT", body)).trigger_id;
  }

  /** Fires commits one after another, and waits for due deliveries. */
  async fire(...messages: string[]): Promise<void> {
    const id = await this.trigger();
    for (const message of messages.length > 0 ? messages : ["Fix"]) {
      this.emulator.triggers.fire(id, { ...commit, message });
    }
    await this.emulator.waitForDeliveries();
  }

  /** Advances the clock, and waits for due deliveries. */
  async pass(duration: `${number}${"ms" | "s" | "m"}`): Promise<void> {
    this.emulator.clock.advance(duration);
    await this.emulator.waitForDeliveries();
  }

  /** Reconnects Ada's account, which becomes ACTIVE. */
  async reconnect(): Promise<void> {
    const { redirect_url } = await this.svc.connectedAccounts.refresh("ca_github");
    await this.emulator.fetch(`${redirect_url}?outcome=success`);
    await this.emulator.waitForDeliveries();
  }
}

/** One header of each delivery. */
export function headersOf({ received }: Post, name: string): (string | undefined)[] {
  return received.map(({ headers }) => headers[name]);
}

/** A response that never arrives; it ends with its request. */
export function silence({ signal }: Request): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}
