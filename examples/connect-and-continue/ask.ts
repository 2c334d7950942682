// The first process: asks the model, and ends. Run it with: node examples/connect-and-go-on/ask.ts
// #region ask
import { agentOf, redis } from "./agent.ts";

const { goOn } = await agentOf("user-new");
console.log(await goOn([{ role: "user", content: "Open an issue in octo-org/hello-world: the build is broken." }]));
redis.disconnect();
// #endregion
