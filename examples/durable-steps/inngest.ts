// Keeps the results of the steps with Inngest. Runs until you stop it. In your own project:
// npm install svc-sdk openai ioredis inngest
// node examples/durable-steps/inngest.ts
import { createServer } from "node:http";
// #region inngest
import { Inngest } from "inngest";
import { serve } from "inngest/node";
import { askModel, runTools } from "./agent.ts";
import { type Steps, work } from "./work.ts";

const inngest = new Inngest({ id: "support" });
const answer = inngest.createFunction(
  { id: "answer", triggers: [{ event: "support/task.created" }] },
  async ({ event, step, runId }) => {
    // Both results are JSON already.
    const steps = {
      askModel: (...args) => step.run("ask the model", () => askModel(...args)),
      runTools: (...args) => step.run("run the tools", () => runTools(...args)),
    } as Steps;
    return work(steps, runId, event.data["task"]);
  },
);
// #endregion

const server = createServer(serve({ client: inngest, functions: [answer] }));
server.listen(Number(process.env["PORT"] ?? 3000), () => console.log("Listening"));
