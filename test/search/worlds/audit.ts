// The record of calls is whole, and has each effect before it happens.
import { type AgentEvent, memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { type AuditLine, type AuditSink, audit } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import { type Definition, type Faults, Violation, type World } from "../world.js";

const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
const KEY = { id: "key", secret: "a secret for the search, 0123456789" };

/** The lines that a shared sink has stored. */
class Stored {
  readonly lines: string[] = [];
  readonly sink: AuditSink = {
    last: async () => this.lines.at(-1),
    append: async (lines, last) => {
      if (this.lines.at(-1) !== last) return false;
      this.lines.push(...lines);
      return true;
    },
  };

  /** Whether the start of a call is recorded. */
  hasStart(callId: string): boolean {
    return this.#fields.some(({ entry }) => entry.type === "started" && entry.callId === callId);
  }

  /** @throws {Violation} if a line doesn't follow from the one before. */
  check(): void {
    for (const [index, { number, log }] of this.#fields.entries()) {
      if (number !== index + 1) throw new Violation(`Line ${index + 1} has the number ${number}.`);
      if (log !== this.#fields[0]?.log) throw new Violation(`Line ${index + 1} belongs to another log.`);
    }
  }

  get #fields(): AuditLine[] {
    return this.lines.map((line) => JSON.parse(line) as AuditLine);
  }
}

/** Each process makes so many calls at the same time. All write to one log. */
export function audited(name: string, calls: readonly number[], faults: Faults): Definition {
  return {
    name,
    faults,
    start(world: World) {
      const stored = new Stored();
      const executions = memoryExecutions();
      const isFaultless = Object.keys(faults).length === 0;
      calls.forEach((count, index) => {
        world.spawnTwin(`P${index + 1}`, String(count), async (process) => {
          const pay = tool({
            name: "pay",
            description: "Pays.",
            parameters: { type: "object" },
            execute: (_, { callId }) => {
              world.note("effect", `${callId} pays`);
              if (!stored.hasStart(callId)) world.violate(`${callId} pays without a record.`);
              return "paid";
            },
          });
          const to = process.through("audit", stored.sink, () => "log");
          const record = audit({ keys: [KEY], to, now: () => 0 });
          const onEvent = ({ type, callId }: AgentEvent) => {
            if (isFaultless && type === "record_failed")
              world.violate(`${callId} has no end, although nothing failed.`);
          };
          const tools = await toolset(svc, {
            ...{ userId: "user-1", tools: [pay], audit: record, onEvent },
            // A process doesn't know which calls run in others.
            executions: { ...executions },
          });
          const turn = Array.from({ length: count }, (_, number) => `call ${index + 1}.${number + 1}`);
          const results = await tools.run(turn.map((callId) => ({ callId, name: "pay", arguments: {} })));
          process.saw(results.map(({ status }) => status).join());
          const failed = results.find(({ status }) => status !== "succeeded");
          if (isFaultless && failed) world.violate(`${failed.callId} doesn't run, although nothing failed.`);
        });
      });
      world.atEnd(() => stored.check());
    },
  };
}
