import { checkContract } from "../../contract/index.js";
import { PermissionDeniedError, type WebhookSubscription } from "../../index.js";
import { isLoopback } from "../../shared/environment.js";
import { messageOf } from "../../shared/message-of.js";
import { secretProblem } from "../../webhooks/keys.js";
import { quoted } from "../print.js";
import { type CheckResult, checkedResult, type Finding, type Setup, skipped } from "./finding.js";
import { clientFor } from "./keys.js";

/** Reads the project's webhook subscription and compares it with the receiver and its secret, if they are known. */
export async function checkSubscription(url: URL, setup: Setup): Promise<CheckResult> {
  const { SVC_API_KEY } = setup.environment;
  const svc = clientFor(url, { SVC_API_KEY }, setup, [checkContract({ onMismatch: "throw" })]);
  try {
    const { items } = await svc.webhookSubscriptions.list();
    const [subscription] = items;
    if (subscription)
      return checkedResult("webhook subscription", subscription.webhook_url, findingsIn(subscription, url, setup));
    const isWanted = setup.receiver !== undefined || Boolean(setup.environment[setup.secretVariable]);
    return isWanted
      ? checkedResult("webhook subscription", "none", [missing(setup)])
      : skipped("webhook subscription", "the project has none");
  } catch (error) {
    if (error instanceof PermissionDeniedError) return skipped("webhook subscription", "the key may not read it");
    const problem = `The webhook subscription can't be read: ${messageOf(error)}`;
    const why = "It isn't known where events are delivered.";
    return checkedResult("webhook subscription", "unknown", [
      { id: "subscription_unreadable", problem, why, fix: "npx svc-sdk call webhookSubscriptions.list" },
    ]);
  }
}

function missing({ receiver }: Setup): Finding {
  const target = receiver === undefined ? "<https://your-receiver>" : quoted(receiver);
  return {
    id: "subscription_missing",
    problem: "The project has no webhook subscription.",
    why: "No event is delivered to any receiver.",
    fix: `npx svc-sdk call webhookSubscriptions.create --webhook_url ${target} --enabled_events svc.trigger.message`,
  };
}

function findingsIn(subscription: WebhookSubscription, url: URL, setup: Setup): Finding[] {
  const { id, version, webhook_url } = subscription;
  const update = `npx svc-sdk call webhookSubscriptions.update ${quoted(id)}`;
  const findings: Finding[] = [];
  if (version !== "V3") {
    findings.push({
      id: "subscription_old_format",
      problem: `The subscription's format is ${version}, which is deprecated.`,
      why: "Events of connected accounts exist only in V3. Update the receiver before the subscription.",
      fix: `${update} --version V3`,
    });
  }
  const target = URL.canParse(webhook_url) ? new URL(webhook_url) : undefined;
  const isRemote = !isLoopback(url.hostname);
  if (target && isRemote && isLoopback(target.hostname)) {
    findings.push({
      id: "subscription_on_this_machine",
      problem: `The subscription delivers to ${target.host}, which the service can't reach.`,
      why: "No event arrives.",
      fix: `${update} --webhook_url <https://your-receiver>`,
    });
  } else if (target?.protocol === "http:" && isRemote) {
    findings.push({
      id: "subscription_without_tls",
      problem: `The subscription delivers to ${target.origin} over plain http.`,
      why: "Others can read the events on their way.",
      fix: `${update} --webhook_url ${quoted(webhook_url.replace(/^http:/, "https:"))}`,
    });
  }
  const receiver = setup.receiver !== undefined && URL.canParse(setup.receiver) ? new URL(setup.receiver) : undefined;
  // A receiver on this machine is usually behind a tunnel with another URL.
  if (target && receiver && !isSamePlace(target, receiver) && (!isLoopback(receiver.hostname) || !isRemote)) {
    findings.push({
      id: "subscription_elsewhere",
      problem: `The subscription delivers to ${target.origin}${target.pathname}, not to the receiver.`,
      why: "The receiver gets no event.",
      fix: `${update} --webhook_url ${quoted(receiver.href)}`,
    });
  }
  return [...findings, ...secretFindings(subscription, setup)];
}

/** Whether URLs are the same, whatever they call this machine. */
function isSamePlace(left: URL, right: URL): boolean {
  const renamed = new URL(left);
  if (isLoopback(left.hostname) && isLoopback(right.hostname)) renamed.hostname = right.hostname;
  return renamed.href === right.href;
}

function secretFindings({ id, secret }: WebhookSubscription, setup: Setup): Finding[] {
  const { environment, secretVariable, receiver } = setup;
  const own = environment[secretVariable];
  // The receiver's check says more.
  if (receiver !== undefined && secretProblem(own) !== undefined) return [];
  // The service may mask it.
  if (!own || !secret || isMasked(secret) || isMasked(own) || own === secret) return [];
  return [
    {
      id: "secret_of_another_subscription",
      problem: `${secretVariable} isn't the secret of the project's subscription.`,
      why: "The receiver rejects every delivery of the service.",
      fix: `npx svc-sdk call webhookSubscriptions.get ${quoted(id)}`,
    },
  ];
}

/** Whether a secret was shortened or starred out, so that it can't sign anything. */
export function isMasked(secret: string): boolean {
  return /\*{2,}|•|…|\.{3}|redacted/i.test(secret);
}
