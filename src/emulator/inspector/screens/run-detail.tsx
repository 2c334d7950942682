import { useState } from "preact/hooks";
import { describeApproval } from "../../../agents/approvals/describe.js";
import { call as callEmulator, type PendingApproval, type RunCall } from "../api.js";
import { count, dateOf, duration } from "../format.js";
import { Action, Copy } from "../parts/actions.jsx";
import { Badge, Detail, Facts, useRealTime } from "../parts/basics.jsx";
import { Block } from "../parts/message.jsx";
import { Field } from "../parts/schema-form.jsx";
import { linkTo } from "../router.js";
import { policyTestOf } from "../snippets.js";
import type { View } from "../store.js";

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

/** How a call ended, in words. A call that the policy or a person denied didn't fail. */
export function endOf(call: RunCall): string {
  const { status, steps } = call;
  if (isWaiting(call)) return "waiting";
  const isDenied = steps.some(({ type, outcome }) => type !== "finished" && /^den/.test(outcome ?? ""));
  return status === "not_run" && isDenied ? "denied" : status.replace("_", " ");
}

interface RunDetailProps {
  readonly call: RunCall;
  readonly view: View;
  readonly turn: number;
}

/** Everything known about a call. */
export function RunDetail({ call, view, turn }: RunDetailProps) {
  const { id, callId, name, tool, at, userId, accountId, durationMs, definitions, steps, result, isReplay } = call;
  const conversation = conversationOf(call);
  const { rule, outcome, reason } = decisionOf(call) ?? {};
  const approval = steps.findLast(({ type }) => type === "approval");
  return (
    <Detail title={name} badge={<Badge value={endOf(call)} />}>
      <div class="buttons">
        <Copy label="Copy as policy test" text={() => policyTestOf([call])} />
        <a class="button small" href={linkTo("runs", id, { conversation })}>
          Only this conversation
        </a>
      </div>
      <RunQuestion call={call} />
      <Facts
        items={{
          Conversation: `${conversation}, turn ${turn}`,
          Call: <code>{callId}</code>,
          Made: `${dateOf(at)} UTC`,
          Took: `${duration(durationMs)}${isReplay ? ", the recorded result of an earlier run" : ""}`,
          Tool: tool ? [tool.kind, tool.toolkit, tool.version].filter(Boolean).join(" · ") : "no tool has this name",
          User: userId ?? "not known",
          Account: accountId ?? "the service chooses",
          Policy: outcome === undefined ? "didn't decide" : `${outcome}, ${rule ?? "no rule"}`,
          Reason: reason,
          Approval: approval && [approval.outcome, approval.approver].filter(Boolean).join(" by "),
          Definitions: `${count(definitions.tools)} tools, about ${count(definitions.estimatedTokens)} tokens`,
          Requests: <Requests id={id} view={view} />,
        }}
      />
      <Block title="Arguments" text={call.arguments} />
      {result !== "" && <Block title="Result, as the model reads it" text={result} />}
      <section class="block" aria-label="Steps">
        <h3>Steps</h3>
        <ol>
          {steps.map((step, index) => (
            <li key={index} class="step">
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
    </Detail>
  );
}

/** Links to a call's requests. */
function Requests({ id, view }: { readonly id: string; readonly view: View }) {
  const requests = view.activities.flatMap((activity) =>
    activity.type === "request" && activity.request.headers["x-emulator-call"] === id ? [activity] : [],
  );
  if (requests.length === 0) return <span class="muted">none</span>;
  return (
    <ul class="buttons">
      {requests.map(({ id: request, request: { status } }, index) => (
        <li key={request}>
          <a href={linkTo("log", String(request))}>try {index + 1}</a> <Badge value={status} />
        </li>
      ))}
    </ul>
  );
}

/** Whether a call waits for a person. */
export function isWaiting({ status, question, decision }: RunCall): boolean {
  return status === "pending" || (question !== null && decision === null);
}

/** Asks a person about a call that waits, or says how its program can ask here. */
function RunQuestion({ call }: { readonly call: RunCall }) {
  if (call.question) return <Question call={call} question={call.question} />;
  if (call.status !== "pending") return null;
  return (
    <p class="help">
      Its program decides. To approve calls here, create its approvals with{" "}
      <code>{"approvals({ keys, onApproval: askInspector(svc) })"}</code>.
    </p>
  );
}

interface QuestionProps {
  readonly call: RunCall;
  readonly question: NonNullable<RunCall["question"]>;
}

const REASON = { label: "Reason of a denial, for the model (optional)", type: "string" };

/** The question of a call's program, with everything that a person must see before they decide. */
function Question({ call: { id, decision, steps }, question }: QuestionProps) {
  const [reason, setReason] = useState("");
  // The emulator checks the form of reports.
  const pending = question.pending as unknown as PendingApproval;
  const leftMs = Date.parse(question.expiresAt) - useRealTime();
  // The policy's decision comes before the question.
  const rule = steps.findLast(({ type, outcome }) => type === "decided" && outcome === "ask")?.rule;
  const decide = (approved: boolean) =>
    callEmulator("POST", `/runs/${id}/decision`, {
      ...{ question: question.id, approved },
      ...(!approved && reason.trim() !== "" && { reason: reason.trim() }),
    });
  return (
    <section class="card question" aria-label="Approval">
      <h3>{decision ? "You have decided" : "May this call run?"}</h3>
      {/* The program's own words, so that what is approved reads the same everywhere. */}
      <pre class="words">{describeApproval(pending)}</pre>
      <Facts
        items={{
          Rule: rule ? <code>{rule}</code> : "not named",
          Expires: !decision && (leftMs > 0 ? `in ${clockOf(leftMs)}` : "now"),
        }}
      />
      {decision || leftMs <= 0 ? (
        <p role="status">
          {decision
            ? `${decision.approved ? "Approved" : "Denied"}. The program takes the decision within a second, if it still runs.`
            : "Expired. The call ends as pending, and nothing has run."}
        </p>
      ) : (
        <>
          <Field name="reason" schema={REASON} text={reason} onChange={setReason} />
          <div class="buttons">
            <Action kind="primary" run={() => decide(true)}>
              Approve
            </Action>
            <Action kind="danger" run={() => decide(false)}>
              Deny
            </Action>
          </div>
        </>
      )}
    </section>
  );
}

/** Minutes and seconds, such as 4:05. */
function clockOf(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
