// Once a process was given a labeled result, no process of the conversation sends: the label is recorded before.
import { type ExecutionStore, memoryExecutions, type Toolset, tool, toolset } from "../../../src/agents/index.js";
import { allow, deny, label, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition, Faults } from "../world.js";

const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
const RULES = policy([
  allow({}),
  label("untrusted", { tools: ["read"] }),
  deny({ tools: ["send"], after: ["untrusted"] }),
]);
const LETTER = "a letter of a stranger";

/**
 * Each process makes its calls one after the other, under its own ids but for `read`, which is the same call in all.
 * The first one starts the conversation.
 *
 * @param isLost - Whether the store loses all of its records, at any time.
 */
export function labels(
  name: string,
  calls: readonly (readonly ("read" | "send")[])[],
  faults: Faults,
  { isLost = false } = {},
): Definition {
  return {
    name,
    faults,
    start(world) {
      let kept = memoryExecutions();
      const written = new Set<string>();
      const store: ExecutionStore = {
        find: (id) => kept.find(id),
        start: (id, stamp) => {
          written.add(id);
          return kept.start(id, stamp);
        },
        finish: (id, stamp, result) => kept.finish(id, stamp, result),
      };
      if (isLost) {
        world.spawn("the store", async (process) => {
          await process.pause("the records are lost");
          // What is lost then is part of the state.
          for (const id of written) process.saw(id);
          kept = memoryExecutions();
        });
      }
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
          const open = () =>
            toolset(svc, {
              userId: "user-1",
              tools: [read, send],
              conversationId: "conversation",
              isNewConversation: index === 0,
              policy: RULES,
              executions: process.through("executions", store, (_, [id]) => String(id)),
            });
          // A program repeats what its store has failed.
          let opened: Toolset | undefined;
          while (!opened) opened = await open().catch(() => undefined);
          const tools = opened;
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
