// Once a process was given a labeled result, no process of the conversation sends: the label is recorded before.
import { memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { allow, deny, label, policy } from "../../../src/agents/policy.js";
import { Svc } from "../../../src/index.js";
import type { Definition, Faults } from "../world.js";

const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
const RULES = policy([
  allow({}),
  label("untrusted", { tools: ["read"] }),
  deny({ tools: ["send"], after: ["untrusted"] }),
]);
const LETTER = "a letter of a stranger";

/** Each process makes its calls one after the other, under its own ids but for `read`, which is the same call in all. */
export function labels(name: string, calls: readonly (readonly ("read" | "send")[])[], faults: Faults): Definition {
  return {
    name,
    faults,
    start(world) {
      const store = memoryExecutions();
      /** Whether any model of the conversation has the letter. */
      let isGiven = false;
      calls.forEach((names, index) => {
        world.spawn(`P${index + 1}`, async (process) => {
          /** Whether the letter was given when the process made its call. */
          let wasGiven = false;
          const parameters = { type: "object" };
          const read = tool({ name: "read", description: "Reads.", parameters, execute: () => LETTER });
          const send = tool({
            name: "send",
            description: "Sends.",
            parameters,
            execute: () => {
              world.note("effect", `${process.name} sends`);
              if (wasGiven) world.violate("A call was sent after a model was given the letter.");
              return "sent";
            },
          });
          const tools = await toolset(svc, {
            userId: "user-1",
            tools: [read, send],
            conversationId: "conversation",
            isNewConversation: true,
            policy: RULES,
            executions: process.through("executions", store, (_, [id]) => String(id)),
          });
          for (const [number, called] of names.entries()) {
            wasGiven = isGiven;
            process.saw(`the letter: ${wasGiven}`);
            const callId = called === "read" ? "read" : `${index} ${number}`;
            const [result] = await tools.run([{ callId, name: called, arguments: {} }]);
            if (!result?.text.includes(LETTER)) continue;
            isGiven = true;
            world.note("letter", `${process.name} is given the letter`);
          }
        });
      });
    },
  };
}
