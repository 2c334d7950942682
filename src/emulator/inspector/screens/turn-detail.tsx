import type { ShownRun } from "../api.js";
import { duration, timeOf } from "../format.js";
import { linesOfTurn, requestsByCall, type WaterfallLine } from "../lines.js";
import { Copy, Download } from "../parts/actions.jsx";
import { Detail, Facts } from "../parts/basics.jsx";
import { Waterfall } from "../parts/timeline.jsx";
import { linkTo } from "../router.js";
import { budgetsOf, labelsOf } from "../run-state.js";
import { policyTestOf } from "../snippets.js";
import type { View } from "../store.js";
import { rangeOf, type Turn, turnItem } from "../timeline.js";
import { Budgets, EndBadge, exportOf, labelOf } from "./run-detail.jsx";

interface TurnDetailProps {
  readonly turn: Turn;
  readonly view: View;
  readonly now: number;
}

/** The calls of a turn, their requests, and their waits, as a waterfall. */
export function TurnDetail({ turn, view, now }: TurnDetailProps) {
  const { conversation, number, calls } = turn;
  const [first] = calls;
  const { from, to } = rangeOf(calls, now);
  const budgets = budgetsOf(calls);
  return (
    <Detail title={`${conversation}, turn ${number}`}>
      <div class="buttons">
        <Copy label="Copy link" text={() => new URL(linkTo("runs", turnItem(turn)), location.href).href} />
        <Copy label="Copy as policy test" text={() => policyTestOf(calls)} />
        <Download name={`turn-${turn.id}.json`} text={() => exportOf(calls, view)} />
      </div>
      <Facts
        items={{
          User: first?.userId !== conversation && (first?.userId ?? undefined),
          Started: first && timeOf(first.at),
          Took: duration(to - from),
          Tools: first && `${first.definitions.tools}, about ${first.definitions.estimatedTokens} tokens`,
          Labels: labelsOf(calls),
          Budgets: budgets.length > 0 && <Budgets items={budgets} />,
        }}
      />
      <section class="block" aria-label="Time">
        <h3>Time</h3>
        <Waterfall lines={linesOfTurn(calls, requestsByCall(view.activities), now)} isPart={isPart} labelOf={label} />
      </section>
    </Detail>
  );

  function label(line: WaterfallLine) {
    return isPart(line) ? labelOf(line) : <CallLabel call={line.call} now={now} />;
  }
}

function isPart({ spans }: WaterfallLine): boolean {
  return spans === undefined;
}

function CallLabel({ call, now }: { readonly call: ShownRun; readonly now: number }) {
  return (
    <>
      <a href={linkTo("runs", call.id)}>{call.name}</a> <EndBadge call={call} now={now} />
    </>
  );
}
