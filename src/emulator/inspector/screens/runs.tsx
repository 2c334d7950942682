import { useMemo } from "preact/hooks";
import type { ShownRun } from "../api.js";
import { duration, timeOf } from "../format.js";
import { Copy, Download } from "../parts/actions.jsx";
import { Empty, useRealTime } from "../parts/basics.jsx";
import { ListScreen } from "../parts/list-screen.jsx";
import { Bar } from "../parts/timeline.jsx";
import { change, linkTo, type RoutePlace } from "../router.js";
import { endOf, isExpired, isOpen, isWaiting } from "../run-state.js";
import { policyTestOf } from "../snippets.js";
import type { View } from "../store.js";
import { conversationOf, rangeOf, type Turn, turnItem, turnsOf } from "../timeline.js";
import { EndBadge, exportOf, RunDetail } from "./run-detail.jsx";
import { TurnDetail } from "./turn-detail.jsx";

/** The ends of calls that a filter shows. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  waiting: ["waiting", "running", "expired"],
  denied: ["denied"],
  failed: ["failed", "not run", "unknown", "aborted"],
};

/** Calls that models made, by conversation and turn. */
export function Runs({ view, place }: { readonly view: View; readonly place: RoutePlace }) {
  const { conversation = "" } = place.query;
  const now = useRealTime(isTimed(view));
  const turns = useMemo(() => turnsOf(view.runs.values()), [view.runs]);
  const items = useMemo(() => [...turns.values()].flatMap(({ calls }) => calls), [turns]);
  const ranges = useMemo(() => new Map<string, ReturnType<typeof rangeOf>>(), [view.runs, now]);
  const rangeIn = ({ turn }: ShownRun) => {
    const range = ranges.get(turn) ?? rangeOf(turns.get(turn)?.calls ?? [], now);
    ranges.set(turn, range);
    return range;
  };
  return (
    <ListScreen
      title="Runs"
      place={place}
      notice={<OpenQuestions view={view} now={now} place={place} />}
      items={items}
      keyOf={({ id }) => id}
      textOf={(call) => JSON.stringify(call)}
      searched="tool, arguments, or rule"
      filters={{ all: "All", waiting: "Waiting", denied: "Denied", failed: "Failed" }}
      isShown={(call, show) =>
        (ENDS[show]?.includes(endOf(call, now)) ?? true) &&
        (conversation === "" || conversationOf(call) === conversation)
      }
      facets={{ User: ({ userId }) => userId, Toolkit: ({ tool }) => tool?.toolkit }}
      controls={(shown) => <RunControls view={view} place={place} shown={shown} />}
      headingOf={({ turn }) => ({
        key: `turn ${turn}`,
        content: () => <TurnHeading turn={turns.get(turn)} now={now} place={place} />,
      })}
      rowOf={(call) => <RunRow call={call} range={rangeIn(call)} now={now} />}
      detailOf={(call) => <RunDetail call={call} view={view} turn={turns.get(call.turn)} now={now} />}
      otherDetailOf={(name) => {
        const turn = turns.get(name.replace(/^turn:/, ""));
        return turn && <TurnDetail turn={turn} view={view} now={now} />;
      }}
      empty={<NoRuns />}
    />
  );
}

interface RunControlsProps {
  readonly view: View;
  readonly place: RoutePlace;
  readonly shown: readonly ShownRun[];
}

function RunControls({ view, place, shown }: RunControlsProps) {
  const { conversation = "" } = place.query;
  return (
    <>
      {conversation !== "" && (
        <button type="button" class="small" aria-pressed="true" onClick={() => change(place, { conversation: "" })}>
          {conversation} ×
        </button>
      )}
      {shown.length > 0 && (
        <>
          <Copy label="Copy as policy test" text={() => policyTestOf(shown)} />
          <Download name="runs.json" text={() => exportOf(shown, view)} />
        </>
      )}
    </>
  );
}

interface RunRowProps {
  readonly call: ShownRun;
  readonly range: ReturnType<typeof rangeOf>;
  readonly now: number;
}

function RunRow({ call, range, now }: RunRowProps) {
  return (
    <>
      <span class="what">
        <b>{call.name}</b> <span class="muted">{call.arguments}</span>
      </span>
      <Bar call={call} range={range} now={now} />
      <span class="took">{call.status === "running" ? "" : duration(call.durationMs)}</span>
      <span class="end">
        <EndBadge call={call} now={now} />
      </span>
    </>
  );
}

function NoRuns() {
  return (
    <Empty
      title="No runs yet"
      example={`const svc = new Svc({ baseUrl: "${location.origin}", apiKey: process.env.SVC_API_KEY });\nconst tools = await toolset(svc, { userId: "user-4711", toolkits: ["github"] });`}
    >
      Calls that a model makes with a toolset appear here: arguments, decisions, approvals, and results, including calls
      that never reach the service. Run a toolset with this base URL:
    </Empty>
  );
}

/** Whether a call runs or can be decided, so that the page changes with the time. */
function isTimed({ runs }: View): boolean {
  // A second longer, to show that the time has ended.
  return [...runs.values()].some((call) => call.status === "running" || isOpen(call, Date.now() - 2_000));
}

interface TurnHeadingProps {
  readonly turn: Turn | undefined;
  readonly now: number;
  readonly place: RoutePlace;
}

/** The conversation and turn of the calls below, and how long they took together. */
function TurnHeading({ turn, now, place }: TurnHeadingProps) {
  if (!turn) return null;
  const [first] = turn.calls;
  const { from, to } = rangeOf(turn.calls, now);
  const user = first?.userId;
  const item = turnItem(turn);
  return (
    <>
      <a class="what" href={linkTo("runs", item, place.query)} aria-current={place.item === item ? "true" : undefined}>
        <b>{turn.conversation}</b> turn {turn.number} {user && user !== turn.conversation && `for ${user}`}
      </a>
      <time>{first && timeOf(first.at)}</time>
      <span class="took">{duration(to - from)}</span>
    </>
  );
}

interface OpenQuestionsProps {
  readonly view: View;
  readonly now: number;
  readonly place: RoutePlace;
}

/** The calls that a person must decide here: the one thing on this page that can't wait. */
function OpenQuestions({ view, now, place }: OpenQuestionsProps) {
  const open = [...view.runs.values()].filter((call) => isOpen(call, now));
  const [first] = open;
  if (!first) return null;
  return (
    <p class="act">
      <b>
        {open.length === 1 ? `${first.name} waits for your decision.` : `${open.length} calls wait for your decision.`}
      </b>
      {place.item !== first.id && (
        <a class="button primary" href={linkTo("runs", first.id)}>
          Decide
        </a>
      )}
    </p>
  );
}

/** How many calls wait for a person, for the navigation. */
export function WaitingTally(view: View) {
  const { runs } = view;
  const now = useRealTime(isTimed(view));
  const calls = [...runs.values()].filter((call) => isWaiting(call) && !isExpired(call, now));
  const isLoud = calls.some((call) => isOpen(call, now));
  return calls.length > 0 ? <span class={isLoud ? "tally loud" : "tally"}>{calls.length} waiting</span> : null;
}
