import * as option from "../errors/option-rules.js";
import { field } from "../shared/json.js";
import { ACCOUNTS, checkedOptions, ensureLasting } from "./check-options.js";
import { ensure, ensureSource } from "./ensure.js";
import { preparedTools } from "./prepared-tools.js";
import type { ToolClient } from "./tools/read-tools.js";
import { type Toolset, toolsetOf } from "./toolset.js";
import type { AnyToolsetOptions, ClientToolsetOptions } from "./toolset-options.js";

/** The user of a toolset, and the conversation. */
export interface ToolsetUser
  extends Pick<ClientToolsetOptions, "userId" | "conversationId" | "isNewConversation" | "accounts"> {}

/** The tools of many users, which {@link prepareToolset} creates. */
export interface PreparedToolset {
  /**
   * Creates the toolset of a user, without a request and without preparing tools again. Adapters compile the tools once
   * for all users, unless `accounts` has labels, which change the tools.
   *
   * @throws {ConfigError} if an option is unknown or invalid.
   */
  for(user: ToolsetUser): Promise<Toolset>;
}

const USER_OPTIONS = {
  userId: option.required(option.NAME),
  conversationId: option.NAME,
  isNewConversation: { ...option.BOOLEAN, default: false },
  accounts: ACCOUNTS,
} as const satisfies option.Rules<ToolsetUser>;

/**
 * Reads and prepares tools once, for a process that serves many users: {@link toolset} without a user. Call `for` of
 * the result for each request.
 *
 * ```ts
 * const prepared = await prepareToolset(new Svc(), { toolkits: ["github", "textkit"] });
 * ```
 *
 * @throws {ConfigError} if an option is unknown or invalid, no tools are chosen, a named one doesn't exist, two have
 * the same name, or one isn't as locked.
 */
export async function prepareToolset(
  client: ToolClient,
  given: Omit<ClientToolsetOptions, keyof ToolsetUser>,
): Promise<PreparedToolset> {
  ensureSource(client);
  ensure(!("executeMeta" in client), "prepareToolset needs a client. A session has one user: pass it to toolset().");
  // JavaScript may pass any of them.
  const options = checkedOptions(given as AnyToolsetOptions, false);
  for (const name of Object.keys(USER_OPTIONS)) {
    ensure(field(given, name) === undefined, `prepareToolset has no user: pass ${name} to for().`);
  }
  const prepared = await preparedTools(client, options);
  return {
    for: async (user) => {
      const personal = { ...options, ...option.checkAll("toolset", user, USER_OPTIONS) };
      ensureLasting(personal);
      return toolsetOf(client, personal, prepared);
    },
  };
}
