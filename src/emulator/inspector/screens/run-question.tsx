import { useState } from "preact/hooks";
import { describeApproval } from "../../../agents/approvals/describe.js";
import { call as callEmulator, type PendingApproval, type RunCall } from "../api.js";
import { Action } from "../parts/actions.jsx";
import { Facts, useRealTime } from "../parts/basics.jsx";
import { Field } from "../parts/schema-form.jsx";

/** Whether a call waits for a person. */
export function isWaiting({ status, question, decision }: RunCall): boolean {
  return status === "pending" || (question !== null && decision === null);
}

/** Asks a person about a call that waits, or says how its program can ask here. */
export function RunQuestion({ call }: { readonly call: RunCall }) {
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
