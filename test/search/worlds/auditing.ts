// The record of one program's calls, line by line.
import type { AgentEvent } from "../../../src/agents/index.js";
import {
  type AuditLine,
  type AuditOptions,
  type AuditSink,
  audit,
  verifyAudit,
} from "../../../src/agents/policy-entry.js";
import type { Definition, World } from "../world.js";
import { Desk, KEYS } from "./decisions.js";
import { scripted } from "./scripted.js";

const ADA = { approver: "ada" };

/** A desk whose calls are recorded in a log. */
async function recorded(world: World, options: Partial<AuditOptions> = {}, lines: string[] = []) {
  const desk = new Desk(world);
  const gate = desk.tokens();
  const failures: string[] = [];
  const faults: Partial<AuditSink> = {};
  const sink: AuditSink = {
    last: async () => (faults.last ? faults.last() : lines.at(-1)),
    append: async (more, last) => {
      if (faults.append) return faults.append(more, last);
      if (lines.at(-1) !== last) return false;
      lines.push(...more);
      return true;
    },
  };
  const record = audit({ keys: KEYS.slice(0, 1), to: sink, program: "search", now: () => desk.now, ...options });
  const onEvent = ({ type, callId = "" }: AgentEvent) => {
    if (type === "record_failed") failures.push(callId);
  };
  const made = await desk.toolset(gate, { audit: record, onEvent });
  const entries = () => lines.map((line) => (JSON.parse(line) as AuditLine).entry);
  return { desk, gate, lines, faults, failures, sink, entries, ...made };
}

export const auditing: readonly Definition[] = [
  scripted("audit: 1 process, its lines", async (_, see, world) => {
    const { run, asked, gate, lines, entries, desk, made } = await recorded(world);
    await run("a", undefined, { to: "a" }, "LOOK");
    await run("a", undefined, { to: "a" }, "LOOK");
    const token = await gate.approve(await asked("b"), ADA);
    desk.now += 1_500;
    await run("b", [token]);
    await run("c", undefined, {}, "LOOK");
    await made.run([{ callId: "d", name: "LOOK", arguments: { to: "d" } }], { dryRun: true });
    await run("e", undefined, { to: "e" }, "NONE");
    see(
      "what happened",
      entries().map(({ type, callId, status, isReplay }) => [type, callId, status, isReplay].join(" ")),
      [
        "started a  ",
        "ended a succeeded false",
        "ended a succeeded true",
        "ended b pending false",
        "started b  ",
        "ended b succeeded false",
        "ended c not_run false",
        "ended e not_run false",
      ],
    );
    const [first, , , , fifth] = entries();
    const {
      at,
      program,
      userId,
      tool,
      version,
      argumentsDigest = "",
      approver,
      decisions,
    } = fifth as never as Record<string, never>;
    see(
      "a line",
      [at, program, userId, tool, version, approver, String(argumentsDigest).length],
      [...["1970-01-01T00:16:41.500Z", "search", "user-1", "PAY", "20251023_00", "ada", 64]],
    );
    see(
      "decisions",
      [first?.decisions, decisions],
      [[{ tool: "LOOK", outcome: "allow", rule: "rules[1]" }], [{ tool: "PAY", outcome: "ask", rule: "rules[0]" }]],
    );
    const withoutDigest = entries().filter((entry) => entry.argumentsDigest === undefined);
    see(
      "digests",
      withoutDigest.map(({ callId, tool: none }) => [callId, none]),
      [["e", undefined]],
    );
    see(
      "no arguments",
      lines.some((line) => line.includes('"to"')),
      false,
    );
    const verified = await verifyAudit(lines, { keys: KEYS.slice(0, 1) });
    see("it is whole", verified.ok && verified.lines, 8);
  }),
  scripted("audit: 1 process, with arguments", async (_, see, world) => {
    const { run, entries, made } = await recorded(world, { withArguments: true });
    await run("a", undefined, { to: "a" }, "LOOK");
    see(
      "they are there",
      entries().map((entry) => entry.arguments),
      [{ to: "a" }, { to: "a" }],
    );
    await made.run(["b", "c"].map((id) => ({ callId: id, name: "LOOK", arguments: { to: id } })));
    see(
      "each its own",
      entries()
        .slice(2)
        .map(({ callId, arguments: args }) => `${callId} ${args?.["to"]}`)
        .toSorted(),
      [...["b b", "b b", "c c", "c c"]],
    );
  }),
  scripted("audit: 1 process, a log that fails", async (_, see, world) => {
    const { run, faults, failures, desk, lines } = await recorded(world);
    const down = () => Promise.reject(new Error("It is full."));
    faults.append = down;
    see("it doesn't run", (await run("a", undefined, { to: "a" }, "LOOK")).status, "not_run");
    see("its end", failures, ["a"]);
    delete faults.append;
    see("it runs", (await run("a", undefined, { to: "a" }, "LOOK")).status, "succeeded");
    faults.last = down;
    see("it is read once", (await run("b", undefined, { to: "b" }, "LOOK")).status, "succeeded");
    faults.append = async () => false;
    see("others write first", (await run("c", undefined, { to: "c" }, "LOOK")).status, "not_run");
    delete faults.last;
    const startedAt = world.time.now;
    let tries = 0;
    faults.append = async () => {
      tries += 1;
      return false;
    };
    see("a log that always rejects", (await run("d", undefined, { to: "d" }, "LOOK")).status, "not_run");
    see("tries of a start and an end", tries, 20);
    see("which took longer each time", world.time.now - startedAt > 2_000, true);
    let left = 9;
    faults.append = async (more, last) => {
      left -= 1;
      if (left > 0 || lines.at(-1) !== last) return false;
      lines.push(...more);
      return true;
    };
    see("a log that accepts in time", (await run("e", undefined, { to: "e" }, "LOOK")).status, "succeeded");
    faults.append = async () => "yes" as never;
    see("an odd answer", (await run("f", undefined, { to: "f" }, "LOOK")).status, "not_run");
    see("the service ran", desk.ran, ["LOOK a", "LOOK b", "LOOK e"]);
    const stranger = await recorded(world, { keys: KEYS.slice(1, 2) }, lines);
    const { status, error } = await stranger.run("g", undefined, { to: "g" }, "LOOK");
    see("another's log", [status, String(error).includes("none of the keys")], ["not_run", true]);
    const rotated = await recorded(world, { keys: [KEYS[1] as never, KEYS[0] as never] }, lines);
    see("with its key", (await rotated.run("h", undefined, { to: "h" }, "LOOK")).status, "succeeded");
    const numbers = lines.map((line) => (JSON.parse(line) as AuditLine).number);
    see(
      "numbers",
      numbers,
      numbers.map((_, index) => index + 1),
    );
  }),
  scripted("audit: 1 process, that goes on without its log", async (_, see, world) => {
    const { run, faults, failures, desk } = await recorded(world, { onFailure: "continue" });
    faults.append = () => Promise.reject(new Error("It is full."));
    see("it runs", (await run("a", undefined, { to: "a" }, "LOOK")).status, "succeeded");
    see("its start and its end", failures, ["a", "a"]);
    see("the service ran", desk.ran, ["LOOK a"]);
    const slow = await recorded(world);
    slow.faults.append = () => new Promise(() => undefined);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stop")), 1_000);
    const calls = [{ callId: "b", name: "LOOK", arguments: { to: "b" } }];
    const ended = await slow.made.run(calls, { signal: stop.signal }).catch((error: Error) => error.message);
    see("an abort waits for no log", [ended, slow.desk.ran], ["stop", []]);
    const { run: writes, lines, faults: slowly } = await recorded(world);
    let [open, mostOpen] = [0, 0];
    slowly.append = async (more) => {
      open += 1;
      mostOpen = Math.max(open, mostOpen);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      lines.push(...more);
      return true;
    };
    await Promise.all(Array.from({ length: 60 }, (_, index) => writes(`${index}`, undefined, { to: "x" }, "LOOK")));
    see("many at once", [lines.length, mostOpen], [120, 1]);
  }),
];
