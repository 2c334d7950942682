import { useEffect, useState } from "preact/hooks";
import { describeApproval } from "../../../agents/approvals/describe.js";
import { call as callEmulator } from "../api.js";
import { Action, Facts } from "../parts/basics.jsx";
import type { PendingApproval, RunCall } from "../view-types.js";

/** Whether a call waits for a person. */
export function isWaiting({ status, question, decision }: RunCall): boolean {
  return status === "pending" || (question !== null && decision === null);
}

/** The question of a call's program, with everything that a person must see before they decide. */
export function RunQuestion({ call }: { readonly call: RunCall }) {
  const { id, question, decision, status } = call;
  const [reason, setReason] = useState("");
  const leftMs = useTimeUntil(question?.expiresAt);
  if (!question) return status === "pending" ? <NotAsked /> : null;
  // The emulator checks the form of reports.
  const pending = question.pending as unknown as PendingApproval;
  // The policy's decision comes before the question.
  const rule = call.steps.findLast(({ type, outcome }) => type === "decided" && outcome === "ask")?.rule;
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
        items={[
          ["Rule", rule ? <code key="rule">{rule}</code> : "not named"],
          ...(decision ? [] : [["Expires", leftMs > 0 ? `in ${clockOf(leftMs)}` : "now"] as const]),
        ]}
      />
      {decision || leftMs <= 0 ? (
        <p role="status">
          {decision
            ? `${decision.approved ? "Approved" : "Denied"}. The program takes the decision within a second, if it still runs.`
            : "Expired. The call ends as pending, and nothing has run."}
        </p>
      ) : (
        <>
          <label class="field">
            Reason of a denial, for the model
            <input
              maxLength={1_000}
              placeholder="Optional"
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          </label>
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

function NotAsked() {
  return (
    <p class="help">
      Its program decides. To approve calls here, create its approvals with{" "}
      <code>{"approvals({ keys, onApproval: askInspector(svc) })"}</code>.
    </p>
  );
}

/** Milliseconds until a time, counted down every second. */
function useTimeUntil(iso: string | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (iso === undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [iso]);
  return iso === undefined ? 0 : Date.parse(iso) - now;
}

/** Minutes and seconds, such as 4:05. */
function clockOf(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
