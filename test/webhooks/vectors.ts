import { createHmac } from "node:crypto";

/** Signed deliveries computed by hand from the rule, not by this package. */
export const VECTORS = [
  {
    secret: "whsec_demo_9f2c",
    id: "msg_6d0f3a52-0c4e-4b7b-9a51-2f6f1d9c7e10",
    timestamp: 1767225600,
    body: '{"hello":"world"}',
    signature: "v1,/oTJvtOKK1fVpFSK8WKTg3f/MB9yW7+mp6BQHyxsMys=",
  },
  {
    secret: "plain-secret",
    id: "msg_0002",
    timestamp: 1767225601,
    body: "{}",
    signature: "v1,SSPwmP1jic49bo1OkTApqHqTZ/PwucZh77FAoA5gjKs=",
  },
  {
    secret: "plain-secret",
    id: "msg_0002",
    timestamp: 1767225601,
    body: "{ }",
    signature: "v1,yOfOFB14368jjqCbKdlyjSPmKSZ5qv/fiH6qvMfIVCw=",
  },
  {
    secret: "sécret-utf8",
    id: "msg_0003",
    timestamp: 1767225602,
    body: '{"note":"grüß dich ✓"}',
    signature: "v1,2M03WHNcsFHNXM13lugmRskJhG3e816cT3Fxty28nyY=",
  },
] as const;

/** When the deliveries in tests are sent, in seconds since 1970. */
export const SENT_AT = 1767225600;

/** The verifier's clock for deliveries sent at {@link SENT_AT}. */
export const now = () => SENT_AT * 1000;

export const SECRET = "whsec_not base64, so text only";

/** Signs with Node's HMAC, independently of the package. */
export function sign(
  body: string | Uint8Array,
  { id = "msg_1", timestamp = SENT_AT, secret = SECRET as string | Uint8Array } = {},
) {
  const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(body).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
}

/** A signed delivery as a request. */
export function deliver(
  event: unknown,
  { url = "http://localhost/hook", ...options }: Parameters<typeof sign>[1] & { url?: string } = {},
) {
  const body = typeof event === "string" ? event : JSON.stringify(event);
  const headers = { "content-type": "application/json", ...sign(body, options) };
  return new Request(url, { method: "POST", body, headers });
}
