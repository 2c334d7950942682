// The plans of the tenants: tools, rules and budgets. server.ts serves the tenants.
import { Svc } from "svc-sdk";
import { prepareToolset } from "svc-sdk/agents";
import { allow, budget, policy } from "svc-sdk/agents/policy";

const svc = new Svc();

// #region plans
/** The tools and rules of a plan, once per process. Its budget counts each tenant separately. */
async function planOf(maxCalls: number) {
  // In several processes, pass budgets: redisBudgets({ client }) here, and executions: redisExecutions({ client }) below.
  const rules = policy([allow({ toolkits: ["github"] }), budget({ id: "day", maxCalls, windowMs: 86_400_000 })]);
  const prepared = await prepareToolset(svc, { toolkits: ["github"], policy: rules });
  return { prepared, rules };
}
const plans = { free: await planOf(2), team: await planOf(1_000) };
// #endregion

export interface Tenant {
  readonly userId: string;
  readonly plan: keyof typeof plans;
  /** The connected account of each toolkit. By default, the tenant's only one. */
  readonly accounts?: Readonly<Record<string, string>>;
}

// #region tools
/** The toolset of one tenant, for one request. It takes no request to the service. */
export const toolsOf = ({ userId, plan, accounts }: Tenant, conversationId: string) =>
  plans[plan].prepared.for({ userId, conversationId, accounts });
// #endregion

export const usageOf = ({ userId, plan }: Tenant) => plans[plan].rules.budgets.read({ id: "day", userId });
