import { type ClientToolsetOptions, memoryExecutions } from "../../../src/agents/index.js";
import {
  type ApprovalsOptions,
  approvals,
  type CustomPolicy,
  customPolicy,
  type PendingApproval,
  type TokenApprovals,
} from "../../../src/agents/policy-entry.js";
import type { EmulatorOptions } from "../../../src/emulator/index.js";
import { type Bench, bench, CREATE_ISSUE, ISSUE } from "../support.js";

/** A key of 32 characters and more. */
export const KEY = { id: "key-1", secret: "an approval key for tests, 0123456789" };

/** Issues need approval, everything else runs. */
export const askForIssues: CustomPolicy = {
  digest: "test",
  decide: ({ tool }) =>
    tool.name === CREATE_ISSUE ? { outcome: "ask", reason: "Issues are public." } : { outcome: "allow" },
};
export const asksForIssues = customPolicy(askForIssues);

export const issueCall = (callId: string, args: object = ISSUE) => ({ callId, name: CREATE_ISSUE, arguments: args });

/** A toolset whose issues need approval. */
export interface Gated extends Bench {
  readonly gate: TokenApprovals;
  /** Calls, and returns the pending approval. */
  ask(callId?: string, args?: object): Promise<PendingApproval>;
}

export async function gated(
  options: Partial<ClientToolsetOptions> = {},
  approvalOptions: Partial<ApprovalsOptions> = {},
  emulatorOptions: EmulatorOptions = {},
): Promise<Gated> {
  const gate = approvals({ keys: [KEY], ...approvalOptions });
  const made = await bench(
    { policy: asksForIssues, executions: memoryExecutions(), approvals: gate, ...options },
    emulatorOptions,
  );
  const ask = async (callId = "call_1", args: object = ISSUE) => {
    const [result] = await made.tools.run([issueCall(callId, args)]);
    if (result?.pendingApproval) return result.pendingApproval;
    throw new Error(`The call ended as ${result?.status}: ${result?.text}`);
  };
  return { ...made, gate, ask };
}

/** Everything that a list has. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
