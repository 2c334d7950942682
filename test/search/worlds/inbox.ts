// A request in a store is decided once, and what was decided holds until the call has run.
import { memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { type ApprovalStore, approvals, ask, memoryApprovals, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition, Faults, Process, World } from "../world.js";

const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
const KEYS = [{ id: "key-1", secret: "an approval key for the search, 0123456789" }];

/** One process of a world: it runs calls, and decides. */
async function opened(world: World, process: Process, store: ApprovalStore, onPay: (callId: string) => void) {
  const gate = approvals({ keys: KEYS, store: process.through("approvals", store, () => "approvals"), now: () => 0 });
  const pay = tool({
    name: "pay",
    description: "Pays.",
    parameters: { type: "object" },
    execute: async (_, { callId }) => {
      world.note("effect", `${callId} pays in ${process.name}`);
      onPay(callId);
      return "paid";
    },
  });
  return { gate, pay };
}

type Decision = "approve" | "deny" | "withdraw";

/** Each process approves, denies or withdraws the same request, and then runs the call. */
export function decidedOnce(name: string, decisions: readonly Decision[], faults: Faults): Definition {
  return {
    name,
    faults,
    start(world) {
      const store = memoryApprovals();
      const executions = memoryExecutions();
      /** The decisions that were accepted. */
      const accepted = new Set<Decision>();
      let effects = 0;
      /** The request, which a process made before these. */
      const asked = requested(store, "call_1");
      decisions.forEach((decision, index) => {
        world.spawn(`P${index + 1}`, async (process) => {
          const { gate, pay } = await opened(world, process, store, () => {
            effects += 1;
            if (effects > 1) world.violate("One approval had two effects.");
            if (accepted.has("deny") || accepted.has("withdraw")) {
              world.violate("The payment ran, although its request was denied or withdrawn.");
            }
          });
          const tools = await toolset(svc, {
            ...{ userId: "user-1", tools: [pay], policy: policy([ask({})]), approvals: gate },
            executions: process.through("executions", executions, (_, [id]) => String(id)),
          });
          const call = { callId: "call_1", name: "pay", arguments: {} };
          const { id } = await asked;
          try {
            await gate[decision](id, { approver: process.name });
            accepted.add(decision);
            world.note("desk", `${process.name}: ${decision}`);
            if (accepted.size > 1) world.violate(`Two decisions were accepted: ${[...accepted].join()}.`);
            if (decision !== "approve" && effects > 0) world.violate("It was denied after the payment ran.");
          } catch {
            process.saw(`${decision} is rejected`);
          }
          await tools.run([call]);
        });
      });
    },
  };
}

/** Each process makes its calls; a person has allowed `uses` of them, the first one included. */
export function standingUses(
  name: string,
  calls: readonly (readonly string[])[],
  uses: number,
  faults: Faults,
  revokes = false,
): Definition {
  return {
    name,
    faults,
    start(world) {
      const store = memoryApprovals();
      const executions = memoryExecutions();
      const isFaultless = Object.keys(faults).length === 0 && !revokes;
      const total = new Set(calls.flat()).size;
      const paid: string[] = [];
      let isRevoked = false;
      /** The standing approval, which a person has given before the processes start. */
      const given = give(store, uses);
      calls.forEach((own, index) => {
        world.spawn(`P${index + 1}`, async (process) => {
          const standing = await given;
          let mayRun = true;
          const { gate, pay } = await opened(world, process, store, (callId) => {
            if (paid.includes(callId)) world.violate(`${callId} paid twice.`);
            paid.push(callId);
            if (paid.length > uses - 1) world.violate(`${paid.length + 1} calls ran with an approval of ${uses}.`);
            if (!mayRun) world.violate(`${callId} was started after the standing approval was revoked.`);
          });
          const tools = await toolset(svc, {
            ...{ userId: "user-1", tools: [pay], policy: policy([ask({})]), approvals: gate },
            executions: process.through("executions", executions, (_, [id]) => String(id)),
          });
          if (revokes && index === 0) {
            await gate.standing.revoke(standing.id, { approver: "ada" });
            isRevoked = true;
            world.note("desk", "Ada has revoked it");
          }
          for (const callId of own) {
            if (revokes) await process.pause("its next call");
            mayRun = !isRevoked;
            process.saw(`it may run: ${mayRun}`);
            const [result] = await tools.run([{ callId, name: "pay", arguments: {} }]);
            if (result?.status === "pending" && total < uses && !revokes) {
              world.violate(`${callId} waits, although the standing approval is for as many calls.`);
            }
          }
        });
      });
      world.atEnd(() => {
        if (isFaultless && paid.length < Math.min(total, uses - 1)) {
          world.violate(`Only ${paid.length} calls ran with an approval of ${uses}, although nothing failed.`);
        }
      });
    },
  };
}

/** Asks for approval of a call, in a process of an earlier time. */
async function requested(store: ApprovalStore, callId: string) {
  const gate = approvals({ keys: KEYS, store, now: () => 0 });
  const pay = tool({ name: "pay", description: "Pays.", parameters: { type: "object" }, execute: () => "paid" });
  const tools = await toolset(svc, {
    ...{ userId: "user-1", tools: [pay], policy: policy([ask({})]), approvals: gate, executions: memoryExecutions() },
  });
  const [asked] = await tools.run([{ callId, name: "pay", arguments: {} }]);
  return { gate, id: asked?.pendingApproval?.id ?? "" };
}

/** Gives a standing approval, in a process of an earlier time. */
async function give(store: ApprovalStore, maxUses: number) {
  const { gate, id } = await requested(store, "call_0");
  return gate.standing.approve(id, { approver: "ada", maxUses, expiresInMs: 3_600_000 });
}
