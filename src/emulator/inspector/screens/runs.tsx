import { useMemo } from "preact/hooks";
import { count, duration, timeOf } from "../format.js";
import { Badge, CopyButton, Empty, Head, type Tone } from "../parts/basics.jsx";
import { Code } from "../parts/message.jsx";
import { Split } from "../parts/split.jsx";
import { VirtualList } from "../parts/virtual-list.jsx";
import { go, linkTo, type Place } from "../router.js";
import { policyTestOf } from "../snippets.js";
import type { View } from "../store.js";
import type { RunCall } from "../view-types.js";
import { conversationOf, decisionOf, RunDetail, turnsOf } from "./run-detail.jsx";
import { isWaiting } from "./run-question.jsx";

/** Which calls the screen shows. */
const FILTERS = { all: "All", waiting: "Waiting", denied: "Denied", failed: "Failed" } as const;

const LABELS: Readonly<Record<RunCall["status"], readonly [label: string, tone: Tone, filter: string]>> = {
  running: ["running", "info", "waiting"],
  pending: ["waiting", "info", "waiting"],
  succeeded: ["succeeded", "good", ""],
  failed: ["failed", "bad", "failed"],
  not_run: ["not run", "warn", "failed"],
  unknown: ["unknown", "bad", "failed"],
  dry_run: ["dry run", "plain", ""],
  aborted: ["aborted", "warn", "failed"],
};

/** How a call ended, in a word. A call that the policy or a person denied didn't fail. */
function endOf(call: RunCall): readonly [label: string, tone: Tone, filter: string] {
  const { status, steps } = call;
  if (isWaiting(call)) return LABELS.pending;
  const isDenied = steps.some(({ type, outcome }) => type !== "finished" && /^den/.test(outcome ?? ""));
  return status === "not_run" && isDenied ? ["denied", "bad", "denied"] : LABELS[status];
}

/** A call's end as a label. */
function End({ call }: { readonly call: RunCall }) {
  const [label, tone] = endOf(call);
  return <Badge tone={tone}>{label}</Badge>;
}

/** Calls that models made, by conversation and turn. */
export function Runs({ view, place }: { readonly view: View; readonly place: Place }) {
  const [search = "", show = "all", conversation = ""] = ["q", "show", "conversation"].map(
    (name) => place.query.get(name) ?? undefined,
  );
  const query = { q: search, show: show === "all" ? "" : show, conversation };
  const turns = useMemo(() => turnsOf(view.runs), [view.runs]);
  const items = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return [...view.runs.values()]
      .filter(
        (call) =>
          (show === "all" || endOf(call)[2] === show) &&
          (conversation === "" || conversationOf(call) === conversation) &&
          words.every((word) => JSON.stringify(call).toLowerCase().includes(word)),
      )
      .reverse();
  }, [view.runs, search, show, conversation]);
  const selected = place.item === undefined ? undefined : view.runs.get(place.item);
  const change = (changed: Partial<typeof query>) => go(linkTo("runs", place.item, { ...query, ...changed }), true);
  const firstOfTurn = (call: RunCall) => items[items.indexOf(call) - 1]?.turn !== call.turn;
  return (
    <>
      <Head title="Runs">
        <search class="bar">
          <input
            type="search"
            class="search"
            aria-label="Search runs"
            placeholder="Search tool, arguments, or rule (press /)"
            value={search}
            onInput={({ currentTarget }) => change({ q: currentTarget.value })}
          />
          <fieldset class="segments">
            <legend class="hidden">Show</legend>
            {Object.entries(FILTERS).map(([name, label]) => (
              <button
                key={name}
                type="button"
                aria-pressed={show === name}
                onClick={() => change({ show: name === "all" ? "" : name })}
              >
                {label}
              </button>
            ))}
          </fieldset>
          {conversation !== "" && (
            <button type="button" class="small" aria-pressed="true" onClick={() => change({ conversation: "" })}>
              {conversation} ×
            </button>
          )}
          {items.length > 0 && <CopyButton label="Copy as policy test" text={() => policyTestOf(items)} />}
        </search>
      </Head>
      <Split
        list={
          items.length > 0 ? (
            <>
              <p class="count">
                {count(items.length)} of {count(view.runs.size)}
              </p>
              <VirtualList
                label="Runs"
                items={items}
                rowHeight={36}
                keyOf={({ id }) => id}
                selected={place.item}
                onSelect={({ id }) => go(linkTo("runs", id, query), place.item !== undefined)}
              >
                {(call) => (
                  <a
                    class="row run"
                    href={linkTo("runs", call.id, query)}
                    aria-current={call === selected ? "true" : undefined}
                    tabIndex={-1}
                  >
                    <time>{timeOf(call.at)}</time>
                    <span class="turn muted">
                      {firstOfTurn(call) && `${conversationOf(call)} · turn ${turns.get(call.turn)}`}
                    </span>
                    <span class="what">
                      <b>{call.name}</b> <span class="muted">{call.arguments}</span>
                    </span>
                    <span class="tags">
                      {decisionOf(call)?.rule && <Badge tone="plain">{decisionOf(call)?.rule}</Badge>}
                    </span>
                    <span class="took">{call.status === "running" ? "" : duration(call.durationMs)}</span>
                    <End call={call} />
                  </a>
                )}
              </VirtualList>
            </>
          ) : (
            <NoRuns isEmpty={view.runs.size === 0} />
          )
        }
        detail={
          place.item === undefined ? undefined : selected ? (
            <RunDetail call={selected} view={view} turn={turns.get(selected.turn) ?? 1} end={<End call={selected} />} />
          ) : (
            <p class="hint">This call is no longer kept.</p>
          )
        }
        back={linkTo("runs", undefined, query)}
      />
    </>
  );
}

function NoRuns({ isEmpty }: { readonly isEmpty: boolean }) {
  if (!isEmpty) {
    return (
      <Empty title="Nothing matches">
        <p>Change the search or the filter to see more.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No runs yet">
      <p>
        The calls that a model makes with a toolset appear here by themselves: arguments, decisions, approvals, and
        results, even of calls that never reach the service. Run a toolset with this base URL:
      </p>
      <Code
        text={`const svc = new Svc({ baseUrl: "${location.origin}", apiKey: "ak_emulator" });\nconst tools = await toolset(svc, { userId: "user-4711", toolkits: ["github"] });`}
        label="Example"
      />
    </Empty>
  );
}
