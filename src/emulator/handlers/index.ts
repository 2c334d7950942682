import type { Handlers } from "../context.js";
import { authConfigs } from "./auth-configs.js";
import { integrations } from "./integrations.js";
import { session } from "./session.js";
import { execution } from "./tool-execution.js";
import { toolkits } from "./toolkits.js";
import { tools } from "./tools.js";

/** What the emulator does, for every operation of the contract. */
export const handlers: Handlers = { ...authConfigs, ...integrations, ...session, ...execution, ...toolkits, ...tools };
