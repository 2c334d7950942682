import { type ClientToolsetOptions, memoryExecutions, toolset } from "../../../src/agents/index.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { COUNT_WORDS, CREATE_ISSUE } from "../support.js";

/** A user without accounts. */
const NEWCOMER = "user-new";

/** A toolset of a user who hasn't connected an account yet. */
export async function newcomer(options: Partial<ClientToolsetOptions> = {}) {
  const emulator = createEmulator();
  const svc = new Svc({ ...emulator.connection, env: {} });
  const tools = await toolset(svc, {
    userId: NEWCOMER,
    tools: [CREATE_ISSUE, COUNT_WORDS],
    executions: memoryExecutions(),
    ...options,
  });
  /** As if the user had opened the link, and the event had arrived. */
  const connect = async () => {
    const { items } = await svc.authConfigs.list({ toolkit_slug: "github" });
    const { id = "" } = items[0] ?? {};
    const { connected_account_id: account } = await svc.connectedAccounts.link({
      auth_config_id: id,
      user_id: NEWCOMER,
    });
    emulator.accounts.activate(account);
  };
  const ran = (name: string) =>
    emulator.requests.filter(({ path, status }) => path.endsWith(name) && status === 200).length;
  return { tools, connect, issues: () => ran(CREATE_ISSUE), words: () => ran(COUNT_WORDS) };
}
