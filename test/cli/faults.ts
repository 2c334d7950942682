import type { Setup } from "../../src/cli/doctor/finding.js";
import { Svc } from "../../src/index.js";
import { SELF_SIGNED } from "../faults/certificates.js";
import { freePort } from "../support/ports.js";
import * as setups from "./setups.js";

const { service, setupOf, SECRET } = setups;

/** A planted fault: the finding that must name it, and a part of the command that fixes it. */
export interface PlantedFault {
  readonly id: string;
  readonly fix: string | RegExp;
  readonly plant: () => Promise<Setup>;
}

const SUBSCRIBED = { webhook_url: "https://app.example.com/webhooks", enabled_events: ["svc.trigger.message"] };
const HTML = { status: 200, headers: { "content-type": "text/html" } };

async function subscribed(more: object, environment: Record<string, string> = {}, isRemote = true): Promise<Setup> {
  const { url, remoteUrl, emulator } = await service();
  await new Svc(emulator.connection).webhookSubscriptions.create({ ...SUBSCRIBED, ...more });
  return setupOf(isRemote ? remoteUrl : url, { SVC_ALLOW_INSECURE_HTTP: "true", ...environment });
}

const rejectAll = () => {
  const error = { message: "Not like this.", code: 10400, slug: "HTTP_BadRequest", status: 400 };
  return Response.json({ error }, { status: 400 });
};

const at = async (url: string) => setupOf(url);

/** Faults between a program and the service, by name. */
export const FAULTS_OF_THE_SERVICE: Readonly<Record<string, PlantedFault>> = {
  "no base URL": { id: "base_url_missing", fix: "export SVC_BASE_URL=", plant: () => at("") },
  "a base URL without a scheme": {
    id: "base_url_invalid",
    fix: "export SVC_BASE_URL=https://api.example.com",
    plant: () => at("api.example.com"),
  },
  "a base URL that is only a word": {
    id: "base_url_invalid",
    fix: /=<https:\/\/the-service>$/,
    plant: () => at("nonsense"),
  },
  "a base URL with the API prefix": {
    id: "base_url_invalid",
    fix: /=https:\/\/api\.example\.com$/,
    plant: () => at("https://api.example.com/api/v3.1"),
  },
  "plain http to another machine": {
    id: "base_url_invalid",
    fix: /=https:\/\/api\.example\.com$/,
    plant: () => at("http://api.example.com"),
  },
  "a password in the base URL": {
    id: "base_url_invalid",
    fix: /=https:\/\/api\.example\.com$/,
    plant: () => at("https://me:hunter2@api.example.com"),
  },
  "a host name that doesn't exist": {
    id: "host_unknown",
    fix: "export SVC_BASE_URL=",
    // A name that is too long is unknown at once. A DNS server may not answer while other tests run.
    plant: () => at(`https://${"a".repeat(64)}.invalid`),
  },
  "an emulator that isn't running": {
    id: "nothing_listens",
    fix: /npx svc-sdk emulator --port \d+/,
    plant: async () => setupOf(`http://127.0.0.1:${await freePort()}`),
  },
  "a proxy that passes nothing on": {
    id: "proxy_fails",
    fix: "export NO_PROXY=svc.invalid",
    plant: async () =>
      setupOf("https://svc.invalid", { HTTPS_PROXY: await setups.proxyWith(403) }, { execArgv: ["--use-env-proxy"] }),
  },
  "a proxy that Node ignores": {
    id: "proxy_ignored",
    fix: "export NODE_USE_ENV_PROXY=1",
    plant: async () => setupOf("https://svc.invalid", { HTTPS_PROXY: await setups.proxyWith(200) }),
  },
  "a self-signed certificate": {
    id: "certificate_untrusted",
    fix: "export NODE_EXTRA_CA_CERTS=",
    plant: async () => setupOf(await setups.httpsServer(SELF_SIGNED, (_request, response) => response.end())),
  },
  "certificate checks that are turned off": {
    id: "tls_checks_off",
    fix: "unset NODE_TLS_REJECT_UNAUTHORIZED",
    plant: async () => setupOf("https://svc.invalid", { NODE_TLS_REJECT_UNAUTHORIZED: "0" }),
  },
  "a proxy with its own certificate": {
    id: "certificate_untrusted",
    fix: "export NODE_EXTRA_CA_CERTS=",
    plant: async () => {
      const url = await setups.httpsServer(SELF_SIGNED, (_request, response) => response.end());
      const environment = { HTTPS_PROXY: await setups.proxyWith(200), NODE_USE_ENV_PROXY: "1" };
      return setupOf(url.replace("127.0.0.1", "0.0.0.0"), environment);
    },
  },
  "https to a port of http": {
    id: "not_tls",
    fix: /export SVC_BASE_URL=http:\/\/127/,
    plant: async () => setupOf((await service()).url.replace("http:", "https:")),
  },
  "no key": {
    id: "key_missing",
    fix: "export SVC_API_KEY=",
    plant: async () => setupOf((await service()).url, { SVC_API_KEY: "" }),
  },
  "a user's key in the variable of the project's": {
    id: "key_of_another_kind",
    fix: 'export SVC_USER_API_KEY="$SVC_API_KEY" && unset SVC_API_KEY',
    plant: async () => setupOf((await service()).url, { SVC_API_KEY: "uak_emulator" }),
  },
  "a key in quotes": {
    id: "key_malformed",
    fix: "export SVC_API_KEY=",
    plant: async () => setupOf((await service()).url, { SVC_API_KEY: '"ak_emulator"' }),
  },
  "a key with what was copied beside it": {
    id: "key_malformed",
    fix: "export SVC_API_KEY=<the key alone",
    plant: async () => setupOf((await service()).url, { SVC_API_KEY: "ak_emulator (production)" }),
  },
  "a revoked key": {
    id: "key_rejected",
    fix: "export SVC_API_KEY=<a new key>",
    plant: async () => setupOf((await service()).url, { SVC_API_KEY: "ak_revoked" }),
  },
  "an unknown organization key next to a good project key": {
    id: "key_rejected",
    fix: "export SVC_ORG_API_KEY=<a new key>",
    plant: async () => setupOf((await service()).url, { SVC_ORG_API_KEY: "oak_wrong" }),
  },
  "a key without permissions": {
    id: "key_call_fails",
    fix: "npx svc-sdk call toolkits.list --limit 1 --verbose",
    plant: async () => {
      const seed = { keys: [{ kind: "apiKey", value: "ak_emulator", denied: ["toolkits"] }] } as const;
      return setupOf((await service(undefined, { seed })).url);
    },
  },
  "a clock that is ahead": {
    id: "clock_skewed",
    fix: "timedatectl",
    plant: async () => setupOf((await service()).url, {}, { now: () => Date.now() + 400_000 }),
  },
  "a clock that is behind": {
    id: "clock_skewed",
    fix: "timedatectl",
    plant: async () => setupOf((await service()).url, {}, { now: () => Date.now() - 400_000 }),
  },
  "an exhausted rate limit": {
    id: "rate_limit_exhausted",
    fix: /sleep \d+ && npx svc-sdk doctor/,
    plant: async () => {
      const { url, emulator } = await service(undefined, { rateLimit: { limit: 1, windowSeconds: 60 } });
      await new Svc(emulator.connection).toolkits.list();
      return setupOf(url);
    },
  },
  "another server at the base URL": {
    id: "another_server",
    fix: "export SVC_BASE_URL=",
    plant: async () => setupOf((await service(() => new Response("<h1>Sign in</h1>", HTML))).url),
  },
  "a base URL with a path that isn't the service's": {
    id: "another_server",
    fix: "export SVC_BASE_URL=",
    plant: async () => setupOf((await service(() => Response.json({ message: "Not found" }, { status: 404 }))).url),
  },
  "a base URL of another service, whose errors are objects too": {
    id: "another_server",
    fix: "export SVC_BASE_URL=",
    plant: async () => {
      const body = { error: { message: "There is nothing here." } };
      const keys = { SVC_USER_API_KEY: "uak_emulator", SVC_ORG_API_KEY: "oak_emulator" };
      return setupOf((await service(() => Response.json(body, { status: 404 }))).url, keys);
    },
  },
  "the receiver's URL as the base URL": {
    id: "another_server",
    fix: "export SVC_BASE_URL=",
    plant: async () => setupOf(new URL(await setups.receiver(SECRET)).origin),
  },
  "a service that rejects a good request": {
    id: "key_call_fails",
    fix: "npx svc-sdk call toolkits.list --limit 1 --verbose",
    plant: async () => setupOf((await service(rejectAll)).url),
  },
  "a service that rejects a good request with an organization's key": {
    id: "key_call_fails",
    fix: "npx svc-sdk call session.info --verbose",
    plant: async () => {
      const keys = { SVC_API_KEY: undefined, SVC_ORG_API_KEY: "oak_emulator" };
      return setupOf((await service(rejectAll)).url, keys);
    },
  },
  "a service that moved": {
    id: "another_server",
    fix: "export SVC_BASE_URL=",
    plant: async () => setupOf((await service(() => Response.redirect("https://new.example.com/x", 308))).url),
  },
  "a service that fails": {
    id: "service_fails",
    fix: "npx svc-sdk doctor",
    plant: async () => setupOf((await service(() => new Response("", { status: 503 }))).url),
  },
  "a receiver, but no subscription": {
    id: "subscription_missing",
    fix: "npx svc-sdk call webhookSubscriptions.create --webhook_url http://127",
    plant: async () => {
      const environment = { SVC_WEBHOOK_SECRET: SECRET };
      return setupOf((await service()).url, environment, { receiver: await setups.receiver(SECRET) });
    },
  },
  "a subscription with an old format": {
    id: "subscription_old_format",
    fix: /call webhookSubscriptions\.update \S+ --version V3$/,
    plant: () => subscribed({ version: "V2" }),
  },
  "a subscription to this machine": {
    id: "subscription_on_this_machine",
    fix: /update \S+ --webhook_url <https/,
    plant: () => subscribed({ webhook_url: "http://localhost:3000/webhooks" }),
  },
  "a subscription over plain http": {
    id: "subscription_without_tls",
    fix: "--webhook_url https://app.example.com/webhooks",
    plant: () => subscribed({ webhook_url: "http://app.example.com/webhooks" }),
  },
  "a secret of another subscription": {
    id: "secret_of_another_subscription",
    fix: "call webhookSubscriptions.get",
    plant: () => subscribed({}, { SVC_WEBHOOK_SECRET: "whsec_of_staging" }),
  },
};
