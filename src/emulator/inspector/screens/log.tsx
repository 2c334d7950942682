import { useMemo, useState } from "preact/hooks";
import { count, toolFailureIn } from "../format.js";
import { Empty, Head } from "../parts/basics.jsx";
import { Code } from "../parts/message.jsx";
import { Split } from "../parts/split.jsx";
import { VirtualList } from "../parts/virtual-list.jsx";
import { go, linkTo, type Place } from "../router.js";
import { clearLog, KEPT, type LogRow, type View } from "../store.js";
import { ActivityDetail } from "./activity-detail.jsx";
import { Row } from "./log-row.jsx";

/** Which rows the log shows. */
const FILTERS = {
  requests: "Requests",
  failed: "Failed",
  all: "Everything",
} as const;

type Filter = keyof typeof FILTERS;

/** The live log of requests, and on request of everything else that happens. */
export function Log({ view, place }: { readonly view: View; readonly place: Place }) {
  const [frozen, setFrozen] = useState<readonly LogRow[]>();
  const search = place.query.get("q") ?? "";
  const filter = filterOf(place.query.get("show"));
  const query = { ...(search && { q: search }), ...(filter !== "requests" && { show: filter }) };
  const rows = frozen ?? view.rows;
  const shown = useMemo(() => shownRows(rows, filter, search), [rows, filter, search]);
  const selected = view.rows.find(({ activity }) => String(activity.id) === place.item);
  const show = (change: Record<string, string>) => go(linkTo("log", place.item, { ...query, ...change }), true);
  return (
    <>
      <Head title="Log">
        <search class="bar">
          <input
            type="search"
            class="search"
            aria-label="Search the log"
            placeholder="Search path, operation, or body (press /)"
            value={search}
            onInput={({ currentTarget }) => show({ q: currentTarget.value })}
          />
          <fieldset class="segments">
            <legend class="hidden">Show</legend>
            {Object.entries(FILTERS).map(([name, label]) => (
              <button
                key={name}
                type="button"
                aria-pressed={filter === name}
                onClick={() => show({ show: name === "requests" ? "" : name })}
              >
                {label}
              </button>
            ))}
          </fieldset>
          <button
            type="button"
            class="small"
            aria-pressed={frozen !== undefined}
            onClick={() => setFrozen(frozen ? undefined : view.rows)}
          >
            {frozen ? `Resume (${count(newSince(frozen, view.rows))} new)` : "Pause"}
          </button>
          <button type="button" class="small" onClick={clearLog}>
            Clear
          </button>
        </search>
      </Head>
      {view.gap && <p class="notice">Some activities are missing here: {view.gap}.</p>}
      <Split
        list={
          shown.length > 0 ? (
            <>
              <p class="count" aria-live="off">
                {count(shown.length)} of {count(rows.length)}
                {rows.length >= KEPT && `, the latest ${count(KEPT)}`}
              </p>
              <VirtualList
                label="Log"
                items={shown}
                rowHeight={36}
                keyOf={({ activity }) => String(activity.id)}
                selected={place.item}
                onSelect={({ activity }) => go(linkTo("log", String(activity.id), query), place.item !== undefined)}
              >
                {(row) => (
                  <Row row={row} isSelected={row === selected} link={linkTo("log", String(row.activity.id), query)} />
                )}
              </VirtualList>
            </>
          ) : (
            <NoRows isEmpty={rows.length === 0} origin={location.origin} />
          )
        }
        detail={
          place.item === undefined ? undefined : selected ? (
            <ActivityDetail activity={selected.activity} view={view} />
          ) : (
            <p class="hint">This activity is no longer kept.</p>
          )
        }
        back={linkTo("log", undefined, query)}
      />
    </>
  );
}

function filterOf(name: string | null): Filter {
  return name === "failed" || name === "all" ? name : "requests";
}

function shownRows(rows: readonly LogRow[], filter: Filter, search: string): LogRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows
    .filter(({ activity, text }) => isShown(activity, filter) && words.every((word) => text.includes(word)))
    .reverse();
}

function isShown(activity: LogRow["activity"], filter: Filter): boolean {
  if (filter === "all") return true;
  if (activity.type !== "request") return false;
  const { status, response } = activity.request;
  const isFailed = status === undefined || status >= 400 || toolFailureIn(response?.body) !== undefined;
  return filter === "requests" || isFailed;
}

function newSince(frozen: readonly LogRow[], rows: readonly LogRow[]): number {
  const last = frozen.at(-1)?.activity.id ?? 0;
  return rows.filter(({ activity }) => activity.id > last).length;
}

function NoRows({ isEmpty, origin }: { readonly isEmpty: boolean; readonly origin: string }) {
  if (!isEmpty) {
    return (
      <Empty title="Nothing matches">
        <p>Change the search or the filter to see more.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No requests yet">
      <p>Point a client at this emulator. Each request appears here with its headers, bodies, and timing.</p>
      <Code
        text={`export SVC_BASE_URL=${origin}\nexport SVC_API_KEY=ak_emulator\n\ncurl "$SVC_BASE_URL/api/v3.1/tools" -H "x-api-key: $SVC_API_KEY"`}
        label="Example"
      />
      <p>
        Or run a tool <a href="#/tools">from this page</a>.
      </p>
    </Empty>
  );
}
