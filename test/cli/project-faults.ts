import type { Setup } from "../../src/cli/doctor/finding.js";
import { Svc } from "../../src/index.js";
import { freePort } from "../support/ports.js";
import type { PlantedFault } from "./faults.js";
import * as setups from "./setups.js";

const { service, setupOf } = setups;

/** A setup whose subscription delivers to a receiver, which knows its secret. */
export async function withReceiver(start: (secret: string) => Promise<string>, environment = {}): Promise<Setup> {
  const { url, emulator } = await service();
  const { webhookSubscriptions } = new Svc(emulator.connection);
  const subscription = { webhook_url: "https://app.example.com", enabled_events: ["svc.trigger.message" as const] };
  const { id, secret } = await webhookSubscriptions.create(subscription);
  const receiver = await start(secret);
  await webhookSubscriptions.update(id, { webhook_url: receiver });
  return setupOf(url, { SVC_WEBHOOK_SECRET: secret, ...environment }, { receiver });
}

const answering =
  (status: number, headers = {}) =>
  () =>
    setups.httpServer((_request, response) => response.writeHead(status, headers).end());

/** Faults of a project's receiver, by name. */
export const FAULTS_OF_THE_PROJECT: Readonly<Record<string, PlantedFault>> = {
  "a receiver that isn't running": {
    id: "receiver_unreachable",
    fix: "curl -i -X POST http://127.0.0.1",
    plant: () => withReceiver(async () => `http://127.0.0.1:${await freePort()}/webhooks`),
  },
  "a receiver that accepts everything": {
    id: "receiver_accepts_forged",
    fix: "createReceiver from svc-sdk/webhooks",
    plant: () => withReceiver(answering(204)),
  },
  "a receiver with an old secret": {
    id: "receiver_rejects",
    fix: "export SVC_WEBHOOK_SECRET=",
    plant: () => withReceiver(() => setups.receiver("whsec_before_the_rotation")),
  },
  "a receiver on another path": {
    id: "receiver_not_found",
    fix: "curl -i -X POST",
    plant: () => withReceiver(answering(404)),
  },
  "a receiver behind a redirect": {
    id: "receiver_redirects",
    fix: "grep -i ^location",
    plant: () => withReceiver(answering(308, { location: "/webhooks/" })),
  },
  "a receiver that fails": {
    id: "receiver_fails",
    fix: "Read the receiver's log",
    plant: () => withReceiver(answering(500)),
  },
  "a receiver whose body is parsed before it": {
    id: "receiver_body_parsed",
    fix: "before express.json()",
    plant: () =>
      withReceiver(() =>
        setups.httpServer((_request, response) => {
          response.writeHead(500).end(JSON.stringify({ error: { reason: "body_already_parsed" } }));
        }),
      ),
  },
  "a receiver that never responds": {
    id: "receiver_slow",
    fix: "curl -i -m 10",
    plant: async () => ({ ...(await withReceiver(() => setups.httpServer(() => undefined))), timeoutMs: 1_500 }),
  },
  "a receiver on a machine with another clock": {
    id: "receiver_clock",
    fix: "timedatectl",
    plant: () =>
      withReceiver(() =>
        setups.httpServer((_request, response) => {
          response.writeHead(401).end(JSON.stringify({ error: { reason: "too_old" } }));
        }),
      ),
  },
  "a receiver, but no secret": {
    id: "secret_missing",
    fix: "export SVC_WEBHOOK_SECRET=",
    plant: () => withReceiver(setups.receiver, { SVC_WEBHOOK_SECRET: "" }),
  },
  ...Object.fromEntries(
    ["ak_123456", "v1,c2VjcmV0", "`whsec_c2VjcmV0`", "'whsec_c2VjcmV0'", " whsec_c2VjcmV0"].map((secret) => [
      `the secret ${secret}`,
      {
        id: "secret_malformed",
        fix: "export SVC_WEBHOOK_SECRET=<",
        plant: () => withReceiver(setups.receiver, { SVC_WEBHOOK_SECRET: secret }),
      },
    ]),
  ),
  "a masked secret": {
    id: "secret_masked",
    fix: "call webhookSubscriptions.rotateSecret",
    plant: () => withReceiver(setups.receiver, { SVC_WEBHOOK_SECRET: "whsec_********" }),
  },
  "a subscription to another URL than the receiver's": {
    id: "subscription_elsewhere",
    fix: /update \S+ --webhook_url http:\/\/127/,
    plant: async () => {
      const setup = await withReceiver(setups.receiver);
      const moved = await setups.receiver(setup.environment["SVC_WEBHOOK_SECRET"] ?? "");
      return { ...setup, receiver: moved };
    },
  },
};
