// Keeps handled deliveries and started calls in Durable Objects, one per id. In your own project: npm install svc-sdk, copy
// this file and wrangler.durable.jsonc, and run: npx wrangler deploy --config wrangler.durable.jsonc
import type { ExecutionStore } from "svc-sdk/agents";
import { createReceiver, type DedupeStore } from "svc-sdk/webhooks";

const RETENTION_MS = 3 * 24 * 60 * 60 * 1_000;

/** A delivery's claim, or a call's start. `text` is the call's result. */
type Held = {
  readonly token: string;
  readonly endsAt: number;
  readonly isDone?: boolean;
  readonly isReleased?: boolean;
  readonly text?: string;
};
type Reply = { readonly isOurs: boolean; readonly held?: Held | undefined };
/** The part of a Durable Object's storage in use. While an object reads or writes, it gets no other request. */
interface Storage {
  get(key: string): Promise<Held | undefined>;
  put(key: string, value: Held): Promise<void>;
  deleteAll(): Promise<void>;
  setAlarm(at: number): Promise<void>;
}

export class RecordObject {
  readonly #storage: Storage;
  constructor({ storage }: { readonly storage: Storage }) {
    this.#storage = storage;
  }
  async fetch(request: Request): Promise<Response> {
    const { method, token, forMs, isDone, text } = await request.json();
    const held = await this.#live();
    const isSame = held?.token === token && !held?.isReleased && (isDone || !held?.isDone);
    const isOurs = !held || isSame || (method === "claim" && held.isReleased === true);
    const endsAt = Date.now() + forMs;
    if ((method === "claim" || method === "extend") && isOurs) {
      await Promise.all([this.#storage.put("held", { token, isDone, endsAt }), this.#storage.setAlarm(endsAt)]);
    }
    // A renewal that arrives later finds that its claim was released.
    if (method === "release" && held && isSame) await this.#storage.put("held", { ...held, isReleased: true });
    if (method === "start" && !held) await this.#storage.put("held", { token, endsAt: Number.POSITIVE_INFINITY });
    if (method === "end" && held && isSame) {
      await (text === undefined ? this.#storage.deleteAll() : this.#storage.put("held", { ...held, text }));
    }
    return Response.json({ isOurs, held } satisfies Reply);
  }
  async alarm(): Promise<void> {
    if (!(await this.#live())) await this.#storage.deleteAll();
  }
  async #live(): Promise<Held | undefined> {
    const held = await this.#storage.get("held");
    return held && held.endsAt > Date.now() ? held : undefined;
  }
}

type Objects = { getByName(name: string): { fetch(url: string, init: RequestInit): Promise<Response> } };
const ask = async (objects: Objects, id: string, request: object): Promise<Reply> =>
  (await objects.getByName(id).fetch("https://object", { method: "POST", body: JSON.stringify(request) })).json();

export function durableStore(objects: Objects): DedupeStore {
  const extend = async (id: string, token: string, forMs: number, isDone = false) =>
    (await ask(objects, id, { method: "extend", token, forMs, isDone })).isOurs;
  return {
    claim: async (id, leaseMs) => {
      const token = crypto.randomUUID();
      const { isOurs, held } = await ask(objects, id, { method: "claim", token, forMs: leaseMs });
      return isOurs ? { status: "claimed", token } : { status: held?.isDone ? "committed" : "running" };
    },
    renew: (id, token, leaseMs) => extend(id, token, leaseMs),
    commit: (id, token) => extend(id, token, RETENTION_MS, true),
    release: async (id, token) => void (await ask(objects, id, { method: "release", token })),
  };
}

export function durableExecutions(objects: Objects): ExecutionStore {
  const recordOf = ({ held }: Reply) => held && { stamp: held.token, result: held.text };
  return {
    find: async (id) => recordOf(await ask(objects, id, { method: "find" })),
    start: async (id, token) => recordOf(await ask(objects, id, { method: "start", token })),
    finish: async (id, token, text) => void (await ask(objects, id, { method: "end", token, text })),
  };
}

type Environment = { readonly SVC_WEBHOOK_SECRET: string; readonly RECORDS: Objects };
export default {
  fetch: (request: Request, { SVC_WEBHOOK_SECRET: secret, RECORDS }: Environment) =>
    createReceiver({ secret, store: durableStore(RECORDS), on: {}, onUnhandled: console.log })(request),
};
