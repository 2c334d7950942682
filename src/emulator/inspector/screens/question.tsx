import { useRef, useState } from "preact/hooks";
import { call as callEmulator, type ShownRun } from "../api.js";
import { clockOf } from "../format.js";
import { Action } from "../parts/actions.jsx";
import { Facts } from "../parts/basics.jsx";
import { Field } from "../parts/schema-form.jsx";
import { ruleName } from "../run-state.js";

interface QuestionProps {
  readonly call: ShownRun;
  readonly now: number;
}

const REASON = { label: "Reason for a denial, for the model (optional)", type: "string" };

/** Asks a person about a call that waits, or says how its program can ask here. */
export function Question({ call, now }: QuestionProps) {
  const { question, status } = call;
  if (question) return <Approval key={question.id} call={call} question={question} now={now} />;
  if (status !== "pending") return null;
  return (
    <p class="help">
      Your program handles this approval. To approve calls here, create its approvals with{" "}
      <code>{"approvals({ keys, onRequest: askInspector(svc) })"}</code>.
    </p>
  );
}

interface ApprovalProps extends QuestionProps {
  readonly question: NonNullable<ShownRun["question"]>;
}

/** The approval request of a call's program, with everything that a person must see before they decide. */
function Approval({ call: { id, decision, steps }, question, now }: ApprovalProps) {
  const [reason, setReason] = useState("");
  // Until the page hears of its decision, a second click would send another one.
  const isSent = useRef(false);
  const leftMs = Date.parse(question.expiresAt) - now;
  // The policy's decision comes before the question.
  const rule = steps.findLast(({ type, outcome }) => type === "decided" && outcome === "ask")?.rule;
  const decide = async (approved: boolean) => {
    if (isSent.current) return;
    isSent.current = true;
    try {
      await callEmulator("POST", `/runs/${id}/decision`, {
        ...{ question: question.id, approved },
        ...(!approved && reason.trim() !== "" && { reason: reason.trim() }),
      });
    } catch (error) {
      isSent.current = false;
      throw error;
    }
  };
  const isOpen = decision === null && leftMs > 0;
  return (
    <section class={isOpen ? "card question open" : "card question"} aria-label="Approval">
      <h3>{isOpen ? "May this call run?" : decision ? "You have decided" : "Not decided in time"}</h3>
      {/* The program's own words, so that what is approved reads the same everywhere. */}
      <pre class="words">{question.text}</pre>
      {isOpen ? (
        <>
          <Facts items={{ Rule: rule && <code>{ruleName(rule)}</code>, Expires: `in ${clockOf(leftMs)}` }} />
          <div class="buttons">
            <Action kind="primary" run={() => decide(true)}>
              Approve
            </Action>
            <Action kind="danger" run={() => decide(false)}>
              Deny
            </Action>
          </div>
          <Field name="reason" schema={REASON} text={reason} onChange={setReason} />
        </>
      ) : (
        <p role="status">
          {decision
            ? `${decision.approved ? "Approved" : "Denied"}. The program takes the decision within a second, if it still runs.`
            : `The time to decide ended at ${localTime(question.expiresAt)}. Nothing has run. You are asked again when the program runs the call again.`}
        </p>
      )}
    </section>
  );
}

/** A real time, as this machine's clock shows it. */
function localTime(iso: string): string {
  return new Date(iso).toLocaleTimeString("en-US", { hour12: false });
}
