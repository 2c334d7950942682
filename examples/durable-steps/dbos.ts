// Keeps the results of the steps with DBOS, in PostgreSQL. In your own project:
// npm install svc-sdk openai ioredis @dbos-inc/dbos-sdk
// TASK_ID=1 node examples/durable-steps/dbos.ts
// #region dbos
import { DBOS } from "@dbos-inc/dbos-sdk";
import { askModel, runTools } from "./agent.ts";
import { work } from "./work.ts";

const steps = {
  askModel: (...args: Parameters<typeof askModel>) => DBOS.runStep(() => askModel(...args), { name: "askModel" }),
  runTools: (...args: Parameters<typeof runTools>) => DBOS.runStep(() => runTools(...args), { name: "runTools" }),
};
const answer = DBOS.registerWorkflow((id: string, task: string) => work(steps, id, task), { name: "answer" });
// #endregion

DBOS.setConfig({ name: "support", systemDatabaseUrl: process.env["DATABASE_URL"] ?? "" });
await DBOS.launch(); // Goes on with the workflows that a crash has interrupted.
const id = process.env["TASK_ID"] ?? crypto.randomUUID();
const handle = (await DBOS.getWorkflowStatus(id))
  ? DBOS.retrieveWorkflow<string>(id)
  : await DBOS.startWorkflow(answer, { workflowID: id })(id, "Report that the build is broken.");
console.log(await handle.getResult());
await DBOS.shutdown();
process.exit();
