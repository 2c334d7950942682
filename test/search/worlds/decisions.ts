// What a person's decision lets run: exactly the call that was asked about, as long as the approval holds.
import { type CallResult, memoryExecutions, type ToolRecord, toolset } from "../../../src/agents/index.js";
import {
  type ApprovalsOptions,
  allow,
  approvals,
  ask,
  memoryApprovals,
  type PendingApproval,
  policy,
  type TokenApprovals,
} from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { World } from "../world.js";

/** Keys of approvals. */
export const KEYS = ["one", "two", "three"].map((id) => ({
  id,
  secret: `an approval key for the search, ${id}, 0123456789`,
}));

const input_parameters = {
  type: "object",
  properties: { to: { type: "string" }, amount: { type: "number" } },
  required: ["to"],
};
const facts = { description: "Moves an amount.", toolkit: "bank", tags: [], input_parameters };

/** A tool of the service. */
export const toolOf = (slug: string, version = "20251023_00", no_auth = true): ToolRecord => {
  return { slug, version, no_auth, ...facts };
};

type Options = Partial<Parameters<typeof toolset>[1]>;

/** A program whose calls need approvals: its service, its clock, and what persons see. */
export class Desk {
  /** Milliseconds since the program started. */
  now = 1_000_000;
  readonly ran: string[] = [];
  readonly store = memoryApprovals();
  readonly executions = memoryExecutions();
  readonly rules = policy([ask({ tools: ["PAY", "TIP"], reason: "It costs." }), allow({ tools: ["LOOK"] })]);
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Approvals without a store. */
  tokens(options: Partial<ApprovalsOptions> = {}): TokenApprovals {
    return approvals({ keys: KEYS.slice(0, 1), now: () => this.now, ...options });
  }

  /** Approvals with the desk's store. */
  inbox(options: Partial<ApprovalsOptions> = {}): TokenApprovals {
    return this.tokens({ store: this.store, ...options });
  }

  /** A toolset of the program. Each has its own memory of what ran, unless it is the desk's. */
  async toolset(gate: TokenApprovals, options: Options = {}, tools = [toolOf("PAY"), toolOf("TIP"), toolOf("LOOK")]) {
    const svc = new Svc({
      ...{ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 0 },
      fetch: async (request) => {
        const slug = new URL(request.url).pathname.split("/").at(-1);
        const { arguments: args, connected_account_id: account } = await request.json();
        this.ran.push([slug, args.to, account].filter((part) => part !== undefined).join(" "));
        this.#world.note("service", `${slug} ${args.to} runs`);
        return Response.json({ data: {}, successful: true, error: null, log_id: "log_1" });
      },
    });
    const own = { userId: "user-1", policy: this.rules, approvals: gate, executions: this.executions };
    const made = await toolset(svc, { ...own, from: { formatVersion: 1, tools }, ...options });
    const run = async (callId: string, tokens?: readonly string[], args: object = { to: callId }, name = "PAY") => {
      const [result] = await made.run([{ callId, name, arguments: args }], tokens && { approvals: tokens });
      return result as CallResult;
    };
    const asked = async (callId: string, args?: object, name?: string) =>
      (await run(callId, undefined, args, name)).pendingApproval as PendingApproval;
    return { made, run, asked };
  }
}
