// The first process: asks the model, and ends. Run it with: node examples/connect-and-continue/ask.ts
// #region ask
import { redis, startAgent } from "./agent.ts";

const task = "Open an issue in octo-org/hello-world: the build is broken.";
console.log(await startAgent("user-new", "conversation-42", task));
redis.disconnect();
// #endregion
