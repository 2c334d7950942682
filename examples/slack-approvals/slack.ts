// The parts of Slack that the agent needs: it asks with two buttons, and verifies a click.
import { createHmac, timingSafeEqual } from "node:crypto";
import { describeApproval, type PendingApproval } from "svc-sdk/agents/policy";

const {
  SLACK_BOT_TOKEN: token,
  SLACK_SIGNING_SECRET: secret,
  SLACK_CHANNEL: channel,
  SLACK_API_URL: api,
} = process.env;
if (!token || !secret) throw new Error("Set SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET.");

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** The `onRequest` of `approvals`. If it throws, nothing runs, and the next run of the call asks again. */
export async function askInSlack(pending: PendingApproval): Promise<void> {
  const plain = (text: string) => ({ type: "plain_text", text });
  const button = (action_id: string, label: string) => ({
    type: "button",
    action_id,
    value: pending.id,
    text: plain(label),
  });
  const parts = describeApproval(pending).match(/.{1,1500}/gsu) ?? []; // Slack's limit is 3,000 characters.
  const blocks = [
    ...parts.map((part) => ({ type: "section", text: plain(part) })),
    { type: "actions", elements: [button("approve", "Approve"), button("deny", "Deny")] },
  ];
  const body = { channel, text: "A call waits for your approval.", blocks };
  const url = `${api ?? "https://slack.com/api"}/chat.postMessage`;
  const { ok, error } = await (await post(url, body, { authorization: `Bearer ${token}` })).json();
  if (!ok) throw new Error(`Slack: ${error}`); // With the status 200.
}

/** Replaces the message with the buttons. */
export const replaceMessage = (responseUrl: string, text: string) =>
  post(responseUrl, { replace_original: true, text });

// #region verify
/** Whether Slack signed the request in the last five minutes. */
export function isFromSlack(headers: Headers, body: string): boolean {
  const timestamp = headers.get("x-slack-request-timestamp") ?? "";
  const digest = createHmac("sha256", `${secret}`).update(`v0:${timestamp}:${body}`).digest("hex");
  const expected = Buffer.from(`v0=${digest}`);
  const given = Buffer.from(headers.get("x-slack-signature") ?? "");
  const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300;
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected);
}
// #endregion
