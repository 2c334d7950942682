import type { LockFinding } from "./check-lock.js";
import type { ToolDiff } from "./diff-lock.js";
import type { SchemaChange } from "./schema-change.js";

/** A finding as one line. */
export function describeFinding({ kind, toolkit, tool, version, seenIn }: LockFinding): string {
  switch (kind) {
    case "moved":
      return `moved    ${tool}  its schemas in ${version} are not those that were locked`;
    case "gone":
      return `gone     ${tool}  ${toolkit} ${version} does not have it any more`;
    case "changed":
      return `changed  ${tool}  its schemas in ${seenIn}, the latest, are not those of ${version}`;
    case "removed":
      return `removed  ${tool}  ${toolkit} ${seenIn}, the latest, does not have it any more`;
  }
}

/** What became of the tools, as lines for people: breaking changes carry an exclamation mark. */
export function describeDiff(diffs: readonly ToolDiff[]): string[] {
  if (diffs.length === 0) return ["The latest versions are what is locked."];
  const breaking = diffs.filter(({ breaks }) => breaks).length;
  const total = `${count(diffs.length, "tool")} differ${diffs.length === 1 ? "s" : ""} from the lock, ${breaking} breaking.`;
  return [...diffs.flatMap(describeTool), "", total];
}

const HEADLINES: Readonly<Record<ToolDiff["change"], string>> = {
  added: "is new",
  removed: "has gone",
  changed: "changed",
  rewritten: "is written differently and means the same",
  unknown:
    "changed; how is not known: its locked version is served with other schemas now. A snapshot of that time, given with --from, would tell",
};

function describeTool({ slug, change, from, to, becameDeprecated, input, output, breaks }: ToolDiff): string[] {
  const versions = [from, to].filter((version) => version !== undefined).join(" -> ");
  return [
    `${mark(breaks)} ${slug} ${HEADLINES[change]} (${versions})`,
    ...(becameDeprecated ? ["      it is deprecated now"] : []),
    ...input.map((edit) => describeChange("input", edit)),
    ...output.map((edit) => describeChange("output", edit)),
  ];
}

function describeChange(side: "input" | "output", { path, kind, text, breaks }: SchemaChange): string {
  return `  ${mark(breaks)} ${side.padEnd(6)} ${kind.padEnd(8)} ${path === "" ? "" : `${path} `}${text}`;
}

function mark(breaks: boolean): string {
  return breaks ? "!" : " ";
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
