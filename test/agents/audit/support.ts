import { type ClientToolsetOptions, type LocalTool, toolset } from "../../../src/agents/index.js";
import { type AuditLine, type AuditOptions, type AuditSink, audit } from "../../../src/agents/policy-entry.js";
import { bench } from "../support.js";

export const KEY = { id: "2026-11", secret: "a secret for the audit, 0123456789 abc" };
export const OTHER_KEY = { id: "2026-12", secret: "another secret for it, 0123456789 abcd" };

/** A sink in memory, which several processes may share. */
export function memorySink(lines: string[] = []): AuditSink & { readonly lines: string[] } {
  return {
    lines,
    last: async () => lines.at(-1),
    append: async (added, last) => {
      if (lines.at(-1) !== last) return false;
      lines.push(...added);
      return true;
    },
  };
}

/** The fields of lines. */
export const fieldsOf = (lines: readonly string[]): AuditLine[] => lines.map((line) => JSON.parse(line) as AuditLine);

/** A toolset with an audit, and a local tool whose effects are counted. */
export async function audited(
  options: Omit<AuditOptions, "keys" | "to"> & Partial<AuditOptions> = {},
  more: Partial<ClientToolsetOptions> = {},
) {
  const sink = memorySink();
  const effects: unknown[] = [];
  const pay: LocalTool = {
    name: "pay",
    description: "Pays an amount.",
    parameters: {
      type: "object",
      properties: { to: { type: "string" }, api_key: { type: "string" } },
      required: ["to"],
    },
    execute: (args) => {
      effects.push(args);
      return { receipt: effects.length };
    },
  };
  const now = () => Date.UTC(2026, 10, 29);
  const { svc, emulator } = await bench();
  const record = audit({ keys: [KEY], to: sink, now, ...options });
  const tools = await toolset(svc, { userId: "user-4711", tools: [pay], audit: record, ...more });
  return { svc, emulator, tools, sink, effects, pay, record };
}

let calls = 0;
export const pays = (args: object = { to: "ada" }) => ({ callId: `call_${++calls}`, name: "pay", arguments: args });
