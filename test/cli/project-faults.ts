import { snapshotText } from "../../src/catalog/catalog.js";
import { readCatalog } from "../../src/catalog/read-catalog.js";
import type { Setup } from "../../src/cli/doctor/finding.js";
import { generateTypes } from "../../src/generate/generate-types.js";
import { Svc, type SvcOptions } from "../../src/index.js";
import { lockText, makeLock } from "../../src/lock/make-lock.js";
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

/** The files that svc-sdk lock and svc-sdk generate write in a project with the toolkit textkit. */
export async function projectFiles(connection: SvcOptions) {
  const catalog = await readCatalog(new Svc(connection), { toolkits: ["textkit"] });
  const types = generateTypes(catalog, "svc-sdk generate --toolkits textkit --out src/svc.gen.ts");
  return {
    "svc.lock.json": lockText(await makeLock(catalog)),
    "src/svc.gen.ts": types,
    "all.json": snapshotText(catalog),
  };
}

async function projectWith(change: (files: Record<string, string>) => Record<string, string>): Promise<Setup> {
  const { url, emulator } = await service();
  const { "all.json": _all, ...files } = await projectFiles(emulator.connection);
  return setupOf(url, {}, { directory: setups.directoryWith(change(files)) });
}

const manifest = (version: string, name = "svc-sdk") => JSON.stringify({ name, version });
const installed = (files: Record<string, string>) => projectWith(() => files);

/** Faults of a project's receiver and files, by name. */
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
  "a lockfile with a merge conflict": {
    id: "lockfile_invalid",
    fix: "git checkout -- svc.lock.json",
    plant: () => projectWith((files) => ({ ...files, "svc.lock.json": `<<<<<<< HEAD\n${files["svc.lock.json"]}` })),
  },
  "a lockfile that is named, but missing": {
    id: "lockfile_missing",
    fix: "npx svc-sdk lock --lock prod.lock.json",
    plant: async () => setupOf((await service()).url, {}, { lockFile: "prod.lock.json" }),
  },
  "a lockfile of other schemas": {
    id: "lockfile_differs",
    fix: "npx svc-sdk lock --diff",
    plant: () =>
      projectWith((files) => ({
        "svc.lock.json": (files["svc.lock.json"] ?? "").replace(/sha256-..../, "sha256-AAAA"),
      })),
  },
  "types of an earlier version than the lockfile's": {
    id: "types_of_other_versions",
    fix: "npx svc-sdk generate --toolkits textkit --out src/svc.gen.ts",
    plant: () =>
      projectWith((files) => ({
        ...files,
        "src/svc.gen.ts": (files["src/svc.gen.ts"] ?? "").replace(/textkit \d{8}_/, "textkit 20200101_"),
      })),
  },
  "types that were edited": {
    id: "types_differ",
    fix: "npx svc-sdk generate --toolkits textkit --out src/svc.gen.ts",
    plant: () =>
      projectWith((files) => ({
        "src/svc.gen.ts": (files["src/svc.gen.ts"] ?? "").replace("text: string", "text: number"),
      })),
  },
  "an old Node": {
    id: "node_too_old",
    fix: "nvm install --lts",
    plant: async () => setupOf((await service()).url, {}, { nodeVersion: "20.20.2" }),
  },
  "an old TypeScript": {
    id: "typescript_too_old",
    fix: "npm install --save-dev typescript@latest",
    plant: () => installed({ "node_modules/typescript/package.json": manifest("5.3.3", "typescript") }),
  },
};
