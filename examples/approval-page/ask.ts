// The first process: asks the model, and ends. Run it with: node examples/approval-page/ask.ts
// #region ask
import { redis, runAgent } from "./agent.ts";

console.log(await runAgent([{ role: "user", content: "Open an issue in octo-org/hello-world: the build is broken." }]));
redis.disconnect();
// #endregion
