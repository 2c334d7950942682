import { beforeAll, describe, expect, test } from "vitest";
import { verifyAudit } from "../../../src/agents/policy-entry.js";
import { ConfigError } from "../../../src/index.js";
import { sized } from "../../support/size.js";
import { audited, KEY, OTHER_KEY, pays } from "./support.js";

const keys = [KEY];
let lines: readonly string[] = [];
let otherLog: readonly string[] = [];

async function logOf(calls: number): Promise<readonly string[]> {
  const { tools, sink } = await audited();
  for (let index = 0; index < calls; index += 1) await tools.run([pays({ to: `person ${index}` })]);
  return sink.lines;
}

beforeAll(async () => {
  lines = await logOf(5);
  otherLog = await logOf(5);
});

const without = (index: number) => lines.toSpliced(index, 1);
const at = (index: number) => lines[index] ?? "";

describe("verifyAudit finds", () => {
  test.each<[string, () => readonly string[], object]>([
    ["a changed status", () => lines.with(3, at(3).replace("succeeded", "failed")), { problem: "changed", line: 4 }],
    ["a changed signature", () => lines.with(3, at(3).replace(/.{3}"\}$/, '000"}')), { problem: "changed", line: 4 }],
    ["text after a line", () => lines.with(3, `${at(3)} `), { problem: "changed", line: 4 }],
    ["text that is no line", () => ["hello", ...lines], { problem: "changed", line: 1 }],
    ["an empty line", () => lines.toSpliced(2, 0, ""), { problem: "changed", line: 3 }],
    ["a missing line", () => without(3), { problem: "missing", line: 4 }],
    ["a missing start", () => lines.slice(2), { problem: "missing", line: 1 }],
    ["a repeated line", () => lines.toSpliced(3, 0, at(2)), { problem: "repeated", line: 4 }],
    ["two lines that changed places", () => lines.with(3, at(4)).with(4, at(3)), { problem: "missing", line: 4 }],
    ["a line of another log", () => lines.with(3, otherLog[3] ?? ""), { problem: "other_log", line: 4 }],
    ["another log behind this one", () => [...lines, ...otherLog], { problem: "other_log", line: 11 }],
  ])("%s", async (_, changed, found) => {
    expect(await verifyAudit(changed(), { keys })).toEqual({ ok: false, ...found });
  });

  test("a cut end, and another log in place of the whole one, if the end is known", async () => {
    const whole = await verifyAudit(lines, { keys });
    if (!whole.ok) expect.unreachable();
    const { head } = whole;
    expect(await verifyAudit(lines, { keys, head })).toEqual(whole);
    expect(await verifyAudit(lines.slice(0, -1), { keys, head })).toEqual({ ok: false, problem: "cut", line: 10 });
    expect(await verifyAudit([], { keys, head })).toEqual({ ok: false, problem: "cut", line: 1 });
    expect(await verifyAudit(otherLog, { keys, head })).toEqual({ ok: false, problem: "changed", line: 10 });
  });

  test("nothing in a part whose start is known, or in a log that has grown", async () => {
    const start = await verifyAudit(lines.slice(0, 4), { keys });
    if (!start.ok) expect.unreachable();
    expect(await verifyAudit(lines.slice(4), { keys, after: start.head })).toMatchObject({ ok: true, lines: 6 });
    expect(await verifyAudit(lines, { keys, head: start.head })).toMatchObject({ ok: true, lines: 10 });
    expect(await verifyAudit(lines.slice(5), { keys, after: start.head })).toMatchObject({ problem: "missing" });
  });

  test("a log that another key signed", async () => {
    expect(await verifyAudit(lines, { keys: [OTHER_KEY] })).toEqual({ ok: false, problem: "changed", line: 1 });
  });
});

test("an edit at random is never unnoticed", async () => {
  const whole = await verifyAudit(lines, { keys });
  if (!whole.ok) expect.unreachable();
  const { head } = whole;
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const text = lines.join("\n");
  const unnoticed: string[] = [];
  for (let edit = 0; edit < sized(500, 10_000); edit += 1) {
    const from = random(text.length);
    const length = random(3);
    const inserted = random(3) === 0 ? "" : String.fromCharCode(32 + random(95));
    const edited = `${text.slice(0, from)}${inserted}${text.slice(from + length)}`;
    const isWhole = edited !== text && (await verifyAudit(edited.split("\n"), { keys, head })).ok;
    if (isWhole) unnoticed.push(`${from} ${length} ${inserted}`);
  }
  expect(unnoticed).toEqual([]);
});

test("rejects options that aren't usable", async () => {
  await expect(verifyAudit([], { keys: [] })).rejects.toThrow(ConfigError);
  await expect(verifyAudit([], { keys, head: 3 as never })).rejects.toThrow(
    "verifyAudit: head must be { number, hash }",
  );
});
