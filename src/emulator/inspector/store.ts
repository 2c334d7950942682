import { useEffect, useState } from "preact/hooks";
import { call } from "./api.js";
import type { Activity, CatalogView, DeliveryRecord, RunCall, StateView } from "./view-types.js";

/** How many of the latest activities the page keeps. */
export const KEPT = 10_000;

/** A request or other activity as a row of the log. */
export interface LogRow {
  readonly activity: Activity;
  /** Lowercase text that a search looks at. */
  readonly text: string;
}

/** Everything the page shows. Each change replaces the parts that changed. */
export interface View {
  readonly rows: readonly LogRow[];
  readonly deliveries: ReadonlyMap<string, DeliveryRecord>;
  /** Calls of toolsets by id, oldest first. */
  readonly runs: ReadonlyMap<string, RunCall>;
  readonly state: StateView | undefined;
  readonly catalog: CatalogView | undefined;
  readonly connection: "connecting" | "live" | "lost";
  /** Why activities are missing from the log. */
  readonly gap: string | undefined;
}

class Store {
  view: View = {
    rows: [],
    deliveries: new Map(),
    runs: new Map(),
    state: undefined,
    catalog: undefined,
    connection: "connecting",
    gap: undefined,
  };
  readonly #listeners = new Set<() => void>();

  set(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    for (const listener of this.#listeners) listener();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

const store = new Store();

/** The current view; the component renders again when it changes. */
export function useView(): View {
  const [, render] = useState(0);
  useEffect(() => store.subscribe(() => render((count) => count + 1)), []);
  return store.view;
}

/** Adds activities to the log, and reads what they changed. */
export function add(activities: readonly Activity[]): void {
  const rows = [...store.view.rows, ...activities.map(rowOf)].slice(-KEPT);
  const delivered = activities.flatMap((activity) => (activity.type === "delivery" ? [activity.delivery] : []));
  if (delivered.length > 0) {
    const deliveries = new Map(store.view.deliveries);
    for (const delivery of delivered) deliveries.set(delivery.id, delivery);
    store.set({ rows, deliveries });
  } else store.set({ rows });
  const reported = activities.flatMap((activity) => (activity.type === "run" ? [activity.call] : []));
  if (reported.length > 0) addRuns([...store.view.runs.values(), ...reported]);
  if (activities.some(({ type }) => type === "restored")) void Promise.all([readDeliveries(), readRuns()]);
  if (activities.some(({ type }) => type === "catalog")) void readCatalog();
  readStateSoon();
}

/** Removes the rows from the page. The emulator keeps its requests. */
export function clearLog(): void {
  store.set({ rows: [], gap: undefined });
}

export function setConnection(connection: View["connection"]): void {
  if (store.view.connection !== connection) store.set({ connection });
}

export function setGap(gap: string): void {
  store.set({ gap });
}

/** Reads everything that the stream doesn't contain. */
export async function readAll(): Promise<void> {
  await Promise.all([readState(), readDeliveries(), readRuns(), readCatalog()]);
}

/** Reads the state. Failures show as a lost connection. */
export async function readState(): Promise<void> {
  // The control plane's document says what it returns; the page comes from the same build.
  await call("GET", "/state").then((state) => store.set({ state: state as StateView }), noted);
}

async function readDeliveries(): Promise<void> {
  const read = await call("GET", "/deliveries").catch(noted);
  // As above.
  const { items = [] } = Object(read) as { items?: readonly DeliveryRecord[] };
  store.set({ deliveries: new Map(items.map((delivery) => [delivery.id, delivery])) });
}

async function readRuns(): Promise<void> {
  const read = await call("GET", "/runs").catch(noted);
  // As above.
  const { items = [] } = Object(read) as { items?: readonly RunCall[] };
  addRuns(items);
}

/** A later report of a call replaces an earlier one, in its place. */
function addRuns(calls: readonly RunCall[]): void {
  const runs = new Map(calls.map((reported) => [reported.id, reported]));
  for (const id of runs.keys()) if (runs.size > KEPT) runs.delete(id);
  store.set({ runs });
}

async function readCatalog(): Promise<void> {
  // As above.
  await call("GET", "/catalog").then((catalog) => store.set({ catalog: catalog as CatalogView }), noted);
}

function noted(): void {
  setConnection("lost");
}

const soon: { timer: ReturnType<typeof setTimeout> | undefined } = { timer: undefined };

/** Reads the state after a burst of activities, not after each. */
function readStateSoon(): void {
  soon.timer ??= setTimeout(() => {
    soon.timer = undefined;
    void readState();
  }, 150);
}

function rowOf(activity: Activity): LogRow {
  return { activity, text: textOf(activity).toLowerCase() };
}

function textOf(activity: Activity): string {
  if (activity.type !== "request") return `${activity.type} ${JSON.stringify(activity)}`;
  const { method, path, operation, status, fault, body, response } = activity.request;
  return [method, path, operation, status ?? "broken", fault, body, response?.body].filter(Boolean).join(" ");
}
