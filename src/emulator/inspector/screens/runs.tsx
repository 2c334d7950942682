import { useMemo } from "preact/hooks";
import { duration, timeOf } from "../format.js";
import { Copy } from "../parts/actions.jsx";
import { Badge, Empty } from "../parts/basics.jsx";
import { ListScreen } from "../parts/list-screen.jsx";
import { change, type Place } from "../router.js";
import { policyTestOf } from "../snippets.js";
import type { View } from "../store.js";
import { conversationOf, decisionOf, endOf, RunDetail, turnsOf } from "./run-detail.jsx";

/** The ends of calls that a filter shows. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  waiting: ["waiting", "running"],
  denied: ["denied"],
  failed: ["failed", "not run", "unknown", "aborted"],
};

/** Calls that models made, by conversation and turn. */
export function Runs({ view, place }: { readonly view: View; readonly place: Place }) {
  const { conversation = "" } = place.query;
  const turns = useMemo(() => turnsOf(view.runs), [view.runs]);
  return (
    <ListScreen
      title="Runs"
      place={place}
      items={[...view.runs.values()].reverse()}
      keyOf={({ id }) => id}
      textOf={(call) => JSON.stringify(call)}
      searched="tool, arguments, or rule"
      filters={{ all: "All", waiting: "Waiting", denied: "Denied", failed: "Failed" }}
      isShown={(call, show) =>
        (ENDS[show]?.includes(endOf(call)) ?? true) && (conversation === "" || conversationOf(call) === conversation)
      }
      controls={(shown) => (
        <>
          {conversation !== "" && (
            <button type="button" class="small" aria-pressed="true" onClick={() => change(place, { conversation: "" })}>
              {conversation} ×
            </button>
          )}
          {shown.length > 0 && <Copy label="Copy as policy test" text={() => policyTestOf(shown)} />}
        </>
      )}
      rowOf={(call, above) => {
        const rule = decisionOf(call)?.rule;
        return (
          <>
            <time>{timeOf(call.at)}</time>
            <span class="turn muted">
              {above?.turn !== call.turn && `${conversationOf(call)} · turn ${turns.get(call.turn)}`}
            </span>
            <span class="what">
              <b>{call.name}</b> <span class="muted">{call.arguments}</span>
            </span>
            {rule && <Badge value={rule} tone="plain" />}
            <span class="took">{call.status === "running" ? "" : duration(call.durationMs)}</span>
            <span class="end">
              <Badge value={endOf(call)} />
            </span>
          </>
        );
      }}
      detailOf={(call) => <RunDetail call={call} view={view} turn={turns.get(call.turn) ?? 1} />}
      empty={
        <Empty
          title="No runs yet"
          example={`const svc = new Svc({ baseUrl: "${location.origin}", apiKey: process.env.SVC_API_KEY });\nconst tools = await toolset(svc, { userId: "user-4711", toolkits: ["github"] });`}
        >
          The calls that a model makes with a toolset appear here by themselves: arguments, decisions, approvals, and
          results, even of calls that never reach the service. Run a toolset with this base URL:
        </Empty>
      }
    />
  );
}
