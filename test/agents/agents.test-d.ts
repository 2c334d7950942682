import { z } from "zod";
import {
  type CallResult,
  type PendingApproval,
  type Policy,
  type Toolset,
  tool,
  toolset,
} from "../../src/agents/index.js";
import { approvals, customPolicy, policy } from "../../src/agents/policy-entry.js";
import { Svc, type ToolRouterSession, type ToolRouterSessionHandle } from "../../src/index.js";

const svc = new Svc();
declare const session: ToolRouterSession;
declare const handle: ToolRouterSessionHandle;

// A client's tools run for a user; a session knows its own.
const ofClient: Promise<Toolset> = toolset(svc, { userId: "ada", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const ofSession: Promise<Toolset> = toolset(session);
void toolset(handle, { tools: ["SVC_SEARCH_TOOLS"] });
// @ts-expect-error: for whom?
void toolset(svc, { tools: ["GITHUB_CREATE_AN_ISSUE"] });
// @ts-expect-error: there is no such option.
void toolset(svc, { userId: "ada", toolkit: "github" });

// A function takes what its schema outputs.
tool({
  name: "greet",
  description: "Greets.",
  parameters: z.object({ name: z.string(), times: z.string().transform(Number) }),
  execute: ({ name, times }) => {
    const text: string = name;
    const count: number = times;
    return { text, count };
  },
});
tool({
  name: "greet",
  description: "Greets.",
  parameters: z.object({ name: z.string() }),
  // @ts-expect-error: the schema has no such property.
  execute: ({ nmae }) => nmae,
});
tool({ name: "greet", description: "Greets.", parameters: { type: "object" }, execute: (args) => args["name"] });

// A decision is clear.
void toolset(svc, {
  userId: "ada",
  tools: [],
  policy: customPolicy({ digest: "1", decide: () => ({ outcome: "deny", reason: "No." }) }),
});
// @ts-expect-error: a denial says why.
customPolicy({ digest: "1", decide: () => ({ outcome: "deny" }) });
// @ts-expect-error: undefined isn't a decision.
customPolicy({ digest: "1", decide: () => undefined });
// @ts-expect-error: an object of the same shape isn't a policy, since nothing would enforce it.
void toolset(svc, { userId: "ada", tools: [], policy: { digest: "1", decide: () => ({ outcome: "allow" }) } });
// @ts-expect-error: nor is a copy.
void toolset(svc, { userId: "ada", tools: [], policy: { ...policy([]) } });
const ofRules: Policy = policy([]);
void toolset(svc, { userId: "ada", tools: [], policy: ofRules });
// The functions of one policy can be part of another.
customPolicy({ ...policy([]), digest: "mine" });

async function results(): Promise<void> {
  const [result] = await (await ofClient).run([{ callId: "1", name: "greet", arguments: {} }]);
  const known: CallResult | undefined = result;
  // @ts-expect-error: the kinds of ends are known.
  if (known?.status === "done") return;
  await ofSession;
}
void results();

// Someone approves, and what they approve is a pending call.
const gate = approvals({ keys: [{ id: "1", secret: "" }] });
async function approve(pending: PendingApproval): Promise<void> {
  await gate.approve(pending, { approver: "ada" });
  // @ts-expect-error: who approves?
  await gate.approve(pending, {});
  // @ts-expect-error: a call alone isn't what a person has judged.
  await gate.approve(pending.call, { approver: "ada" });
}
void approve;

// A shape isn't a schema: taken as one, it would allow everything.
// @ts-expect-error: write z.object({ … }).
tool({ name: "notify", description: "Notifies.", parameters: { email: z.email() }, execute: () => 1 });
// @ts-expect-error: write { type: "object", properties: { … } }.
tool({ name: "notify", description: "Notifies.", parameters: { email: { type: "string" } }, execute: () => 1 });
