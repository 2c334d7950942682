import { SECRET_START } from "../../shared/credentials.js";
import { child, parseJson } from "../../shared/json.js";
import { messageOf } from "../../shared/message-of.js";
import { signedDelivery } from "../../testing/index.js";
import { secretProblem } from "../../webhooks/keys.js";
import { quoted } from "../print.js";
import { type CheckResult, checkedResult, codeOf, type Finding, SET_CLOCK, type Setup, skipped } from "./finding.js";
import { isMasked } from "./subscription.js";

/**
 * Sends two deliveries to the receiver: one with a wrong signature, which it must reject, and one with the right one,
 * which it must accept. Their event type is unknown, so no handler acts on them.
 */
export async function checkReceiver(setup: Setup): Promise<CheckResult> {
  const { receiver, secretVariable, environment } = setup;
  if (receiver === undefined) return skipped("receiver", "pass its URL with --receiver");
  const secret = environment[secretVariable] ?? "";
  const written = secretFinding(secretVariable, secret);
  const forged = await deliver(receiver, `${SECRET_START}${crypto.randomUUID()}`, setup);
  const unreachable = deliveryFinding(receiver, forged);
  if (unreachable) return checkedResult("receiver", receiver, [unreachable, ...written]);
  const accepting = forged.status >= 200 && forged.status < 300 ? [acceptsForged(receiver)] : [];
  if (written.length > 0) return checkedResult("receiver", receiver, [...accepting, ...written]);
  const signed = await deliver(receiver, secret, setup);
  const failing = deliveryFinding(receiver, signed);
  const rejecting = !failing && signed.status >= 300 ? [rejectsSigned(receiver, signed, secretVariable)] : [];
  return checkedResult("receiver", receiver, [...accepting, ...(failing ? [failing] : rejecting)]);
}

interface CheckOutcome {
  /** 0 if no response arrived. */
  readonly status: number;
  /** The reason in the body of a receiver of this package, or the code of a failed connection. */
  readonly reason: string;
}

async function deliver(receiver: string, secret: string, { now, timeoutMs }: Setup): Promise<CheckOutcome> {
  const id = `msg_doctor_${crypto.randomUUID()}`;
  const event = {
    id,
    type: "svc.doctor.test",
    metadata: {},
    data: { note: "Sent by svc-sdk doctor." },
    timestamp: new Date(now()).toISOString(),
  };
  const { headers, body } = signedDelivery({ secret, event, timestamp: new Date(now()) });
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(receiver, { method: "POST", headers, body, redirect: "manual", signal });
    const reason = child(child(parseJson(await response.text()), "error"), "reason");
    return { status: response.status, reason: typeof reason === "string" ? reason.slice(0, 40) : "" };
  } catch (error) {
    return { status: 0, reason: codeOf(error) ?? messageOf(error) };
  }
}

function secretFinding(variable: string, value: string): Finding[] {
  if (value.trim() === "") {
    const problem = `${variable} isn't set, so no delivery can be signed.`;
    const why = "The receiver needs the subscription's secret to verify deliveries.";
    return [{ id: "secret_missing", problem, why, fix: `export ${variable}=<secret of the subscription>` }];
  }
  const malformed = secretProblem(value);
  if (malformed !== undefined) {
    const why = "The service signs with another secret, so no signature matches.";
    const fix = `export ${variable}=<secret of the subscription>`;
    return [{ id: "secret_malformed", problem: `${variable} ${malformed}`, why, fix }];
  }
  if (isMasked(value)) {
    const problem = `${variable} has a masked secret.`;
    const why = "Only the responses of create and rotateSecret have the whole secret.";
    return [{ id: "secret_masked", problem, why, fix: "npx svc-sdk call webhookSubscriptions.rotateSecret <id>" }];
  }
  return [];
}

function acceptsForged(receiver: string): Finding {
  return {
    id: "receiver_accepts_forged",
    problem: `The receiver ${receiver} accepts a delivery with a wrong signature.`,
    why: "Anyone who knows its URL can send it events.",
    fix: `Mount createReceiver from svc-sdk/webhooks, then run npx svc-sdk doctor --receiver ${quoted(receiver)}`,
  };
}

/** The finding about a delivery that no receiver handled, whatever its signature. */
function deliveryFinding(receiver: string, { status, reason }: CheckOutcome): Finding | undefined {
  if (status === 0 && /timeout|aborted/i.test(reason)) {
    const problem = `The receiver ${receiver} doesn't respond in time.`;
    const why = "The service gives up and retries. Respond first, then work.";
    return { id: "receiver_slow", problem, why, fix: `curl -i -m 10 -X POST ${quoted(receiver)}` };
  }
  if (status === 0) {
    const problem = `The receiver ${receiver} can't be reached (${reason}).`;
    return { id: "receiver_unreachable", problem, why: "Deliveries fail.", fix: `curl -i -X POST ${quoted(receiver)}` };
  }
  if (status === 404 || status === 405) {
    const problem = `No receiver is mounted for POST at ${receiver} (${status}).`;
    return { id: "receiver_not_found", problem, why: "Deliveries fail.", fix: `curl -i -X POST ${quoted(receiver)}` };
  }
  if (status >= 300 && status < 400) {
    const problem = `${receiver} redirects (${status}).`;
    const why = "Redirects of deliveries aren't followed. Subscribe with the final URL.";
    return { id: "receiver_redirects", problem, why, fix: `curl -sI -X POST ${quoted(receiver)} | grep -i ^location` };
  }
  if (reason === "body_already_parsed") {
    const problem = `Something in front of the receiver ${receiver} parses the body.`;
    const why = "The signature is that of the raw bytes, which are gone then.";
    const fix = `Mount the receiver before express.json(), then run npx svc-sdk doctor --receiver ${quoted(receiver)}`;
    return { id: "receiver_body_parsed", problem, why, fix };
  }
  return undefined;
}

function rejectsSigned(receiver: string, { status, reason }: CheckOutcome, variable: string): Finding {
  const received = `${status}${reason && `, ${reason}`}`;
  if (reason === "too_old" || reason === "too_new") {
    const problem = `The receiver ${receiver} rejects a delivery sent just now (${received}).`;
    const why = "Its clock and this machine's differ by minutes.";
    return { id: "receiver_clock", problem, why, fix: SET_CLOCK };
  }
  if (status >= 500) {
    const problem = `The receiver ${receiver} fails on a correctly signed delivery (${received}).`;
    const why = "The service retries it and then gives up. Event types that it doesn't know must be accepted.";
    const fix = `Read the receiver's log while you run npx svc-sdk doctor --receiver ${quoted(receiver)}`;
    return { id: "receiver_fails", problem, why, fix };
  }
  const problem = `The receiver ${receiver} rejects a correctly signed delivery (${received}).`;
  const why = "It has another secret, or verifies a body that something in front of it changed.";
  return { id: "receiver_rejects", problem, why, fix: `export ${variable}=<secret of the subscription>` };
}
