import type { ComponentChildren } from "preact";
import { count, dateOf, duration, pretty } from "../format.js";
import { Badge, CopyButton, Facts, toneOf } from "../parts/basics.jsx";
import { Code } from "../parts/message.jsx";
import { linkTo } from "../router.js";
import { policyTestOf } from "../snippets.js";
import type { View } from "../store.js";
import type { RunCall } from "../view-types.js";
import { RunQuestion } from "./run-question.jsx";

/** The conversation that a call belongs to: without an id, all of its session or user. */
export function conversationOf({ conversationId, sessionId, userId }: RunCall): string {
  return conversationId ?? sessionId ?? userId ?? "no user";
}

/** The number of each turn in its conversation. */
export function turnsOf(runs: ReadonlyMap<string, RunCall>): ReadonlyMap<string, number> {
  const latest = new Map<string, number>();
  const turns = new Map<string, number>();
  for (const call of runs.values()) {
    if (turns.has(call.turn)) continue;
    const conversation = conversationOf(call);
    latest.set(conversation, (latest.get(conversation) ?? 0) + 1);
    turns.set(call.turn, latest.get(conversation) ?? 1);
  }
  return turns;
}

/** The policy's latest decision about the call. */
export function decisionOf({ steps }: RunCall) {
  return steps.findLast(({ type }) => type === "decided");
}

interface RunDetailProps {
  readonly call: RunCall;
  readonly view: View;
  readonly turn: number;
  readonly end: ComponentChildren;
}

/** Everything known about a call. */
export function RunDetail({ call, view, turn, end }: RunDetailProps) {
  const { id, callId, name, tool, at, userId, accountId, durationMs, definitions, steps, result, isReplay } = call;
  const conversation = conversationOf(call);
  const requests = view.rows.flatMap(({ activity }) =>
    activity.type === "request" && activity.request.headers["x-emulator-call"] === id ? [activity] : [],
  );
  const { rule, outcome, reason } = decisionOf(call) ?? {};
  const approval = steps.findLast(({ type }) => type === "approval");
  return (
    <article aria-label={name}>
      <h2 class="title">
        {end} <span class="path">{name}</span>
      </h2>
      <div class="buttons">
        <CopyButton label="Copy as policy test" text={() => policyTestOf([call])} />
        <a class="button small" href={linkTo("runs", id, { conversation })}>
          Only this conversation
        </a>
      </div>
      <RunQuestion call={call} />
      <Facts
        items={[
          ["Conversation", `${conversation}, turn ${turn}`],
          ["Call", <code key="call">{callId}</code>],
          ["Made", `${dateOf(at)} UTC`],
          ["Took", `${duration(durationMs)}${isReplay ? ", the recorded result of an earlier run" : ""}`],
          [
            "Tool",
            tool ? [tool.kind, tool.toolkit, tool.version].filter(Boolean).join(" · ") : "no tool has this name",
          ],
          ["User", userId ?? "not known"],
          ["Account", accountId ?? "the service chooses"],
          ["Policy", outcome === undefined ? "didn't decide" : `${outcome}, ${rule ?? "no rule"}`],
          ...(reason === undefined ? [] : [["Reason", reason] as const]),
          ...(approval
            ? [["Approval", [approval.outcome, approval.approver].filter(Boolean).join(" by ")] as const]
            : []),
          ["Definitions", `${count(definitions.tools)} tools, about ${count(definitions.estimatedTokens)} tokens`],
          [
            "Requests",
            requests.length === 0 ? (
              <span class="muted">none</span>
            ) : (
              <ul class="inline">
                {requests.map(({ id: request, request: { status } }, index) => (
                  <li key={request}>
                    <a href={linkTo("log", String(request))}>try {index + 1}</a>{" "}
                    <Badge tone={toneOf(status)}>{status ?? "broken"}</Badge>
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
      <Part title="Arguments" text={call.arguments} />
      {result !== "" && <Part title="Result, as the model reads it" text={result} />}
      <section class="message" aria-label="Steps">
        <header>
          <h3>Steps</h3>
        </header>
        <ol class="steps">
          {steps.map((step, index) => (
            <li key={index}>
              <span class="took">{duration(step.ms)}</span>
              <span>
                <b>{step.type.replace("_", " ")}</b> {step.outcome?.replace("_", " ")}{" "}
                {step.rule && <code>{step.rule}</code>}
                {step.approver && ` by ${step.approver}`}
                {step.tool !== undefined && step.tool !== tool?.name && ` (${step.tool})`}
                {(step.error ?? step.reason) && <span class="help">{step.error ?? step.reason}</span>}
              </span>
            </li>
          ))}
        </ol>
      </section>
    </article>
  );
}

function Part({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section class="message" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <CopyButton label="Copy" text={() => text} />
      </header>
      <Code text={pretty(text)} label={`${title}: text`} />
    </section>
  );
}
