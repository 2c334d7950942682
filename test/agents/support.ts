import { type AgentEvent, type ClientToolsetOptions, type Toolset, toolset } from "../../src/agents/index.js";
import { type CustomPolicy, customPolicy } from "../../src/agents/policy-entry.js";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/index.js";
import { Svc } from "../../src/index.js";

/** The user of the emulator's seed who has connected a GitHub account. */
export const USER = "user-4711";
export const CREATE_ISSUE = "GITHUB_CREATE_AN_ISSUE";
export const COUNT_WORDS = "TEXTKIT_COUNT_WORDS";

/** Arguments of {@link CREATE_ISSUE} that match its schema. */
export const ISSUE = { owner: "octo-org", repo: "hello-world", title: "From a model" };

const block = (type: string) => ({
  type: "object",
  properties: {
    type: { const: type },
    text: { type: "string" },
    children: { type: "array", items: { $ref: "#/$defs/block" } },
  },
  required: ["type"],
});
/** Arguments with blocks in blocks: each level has as many branches as there are kinds of blocks. */
export const BLOCKS = {
  type: "object",
  properties: { root: { $ref: "#/$defs/block" } },
  $defs: { block: { anyOf: ["paragraph", "quote", "list", "toggle", "callout"].map(block) } },
};

/** Arguments for {@link BLOCKS}. */
export function blocks(depth: number): { root: object } {
  let root: object = { type: "callout", text: "x" };
  for (let level = 1; level < depth; level++) root = { type: "callout", children: [root] };
  return { root };
}

/** A policy of one function. */
export const deciding = (decide: CustomPolicy["decide"]) => customPolicy({ digest: "test", decide });

/** A toolset over an emulator, and what it reported. */
export interface Bench {
  readonly emulator: Emulator;
  readonly svc: Svc;
  readonly tools: Toolset;
  readonly events: AgentEvent[];
  /** How often the service was asked to run a tool. */
  executions(): number;
}

/** Creates a toolset with an emulator's tools. */
export async function bench(
  options: Partial<ClientToolsetOptions> = {},
  emulatorOptions: EmulatorOptions = {},
): Promise<Bench> {
  const emulator = createEmulator(emulatorOptions);
  const svc = new Svc({ ...emulator.connection, env: {} });
  const events: AgentEvent[] = [];
  const tools = await toolset(svc, {
    userId: USER,
    tools: [CREATE_ISSUE, COUNT_WORDS],
    onEvent: (event) => events.push(event),
    ...options,
  });
  const executions = () => emulator.requests.filter(({ path }) => path.includes("/tools/execute/")).length;
  return { emulator, svc, tools, events, executions };
}
