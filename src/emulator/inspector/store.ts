import { useEffect, useState } from "preact/hooks";
import { CONTROL_PREFIX, REPORTS_PATH } from "../../shared/control-plane.js";
import {
  type Activity,
  call,
  type DeliveryRecord,
  type InspectorCatalog,
  type InspectorState,
  type ShownRun,
} from "./api.js";

/** How many of the latest activities, and of the latest calls, the page keeps. */
export const KEPT = 10_000;

/** Everything the page shows. Each change replaces the parts that changed. */
export interface View {
  /** Oldest first. */
  readonly activities: readonly Activity[];
  readonly deliveries: ReadonlyMap<string, DeliveryRecord>;
  /** Calls of toolsets by id, oldest first. */
  readonly runs: ReadonlyMap<string, ShownRun>;
  readonly state?: InspectorState;
  readonly catalog?: InspectorCatalog;
  readonly connection: "connecting" | "live" | "lost";
  /** Why activities are missing from the log. */
  readonly gap?: string | undefined;
}

const store: { view: View; timer?: ReturnType<typeof setTimeout> | undefined } = {
  view: { activities: [], deliveries: new Map(), runs: new Map(), connection: "connecting" },
};
const listeners = new Set<() => void>();

function set(change: Partial<View>): void {
  store.view = { ...store.view, ...change };
  for (const listener of listeners) listener();
}

/** The current view; the component renders again when it changes. */
export function useView(): View {
  const [, setShown] = useState(store.view);
  useEffect(() => {
    const listener = () => setShown(store.view);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return store.view;
}

/** Removes the rows from the page. The emulator keeps its requests. */
export function clearLog(): void {
  set({ activities: [], gap: undefined });
}

/** Follows the emulator. The browser connects again by itself, and sends the last id it got. */
export function follow(): void {
  const waiting: Activity[] = [];
  const source = new EventSource(`${CONTROL_PREFIX}/events`);
  source.addEventListener("message", ({ data }) => {
    // The emulator's own stream.
    waiting.push(JSON.parse(data) as Activity);
    // One render for a burst, and without one while the tab is hidden.
    if (waiting.length === 1) setTimeout(() => add(waiting.splice(0)), 50);
  });
  source.addEventListener("gap", ({ data }) => {
    const { reason } = JSON.parse(data) as { reason: string }; // As above.
    set({ gap: reason });
    void readAll();
  });
  source.addEventListener("open", () => {
    set({ connection: "live" });
    void readAll();
  });
  source.addEventListener("error", () => set({ connection: "lost" }));
}

/** Adds activities to the log, and reads what they changed. */
function add(added: readonly Activity[]): void {
  set({
    activities: [...store.view.activities, ...added].slice(-KEPT),
    deliveries: merged(
      store.view.deliveries,
      added.flatMap((activity) => (activity.type === "delivery" ? [activity.delivery] : [])),
    ),
    runs: merged(
      store.view.runs,
      added.flatMap((activity) => (activity.type === "run" ? [activity.call] : [])),
    ),
  });
  if (added.some(({ type }) => type === "restored" || type === "catalog")) void readAll();
  else readStateSoon();
}

/** Records by id. A later one replaces an earlier one, in its place. */
function merged<Item extends { readonly id: string }>(before: ReadonlyMap<string, Item>, items: readonly Item[]) {
  if (items.length === 0) return before;
  const all = new Map([...before, ...items.map((item) => [item.id, item] as const)]);
  return new Map([...all].slice(-KEPT));
}

/** Reads everything that the stream doesn't contain. */
async function readAll(): Promise<void> {
  await Promise.all([
    readState(),
    read<{ items: DeliveryRecord[] }>("/deliveries", ({ items }) => ({ deliveries: merged(new Map(), items) })),
    read<{ items: ShownRun[] }>(REPORTS_PATH, ({ items }) => ({ runs: merged(new Map(), items) })),
    read<InspectorCatalog>("/catalog", (catalog) => ({ catalog })),
  ]);
}

async function readState(): Promise<void> {
  await read<InspectorState>("/state", (state) => ({ state }));
}

/** Reads a part of the view. Failures show as a lost connection. */
async function read<Result>(path: string, changeOf: (result: Result) => Partial<View>): Promise<void> {
  await call<Result>("GET", path).then(
    (result) => set(changeOf(result)),
    () => set({ connection: "lost" }),
  );
}

/** Reads the state after a burst of activities, not after each. */
function readStateSoon(): void {
  store.timer ??= setTimeout(() => {
    store.timer = undefined;
    void readState();
  }, 150);
}
