import { counted } from "../../errors/mismatch-words.js";
import { isReworded, type LockFinding, type ToolDiff } from "./diff-lock.js";
import type { SchemaChange } from "./diff-schemas.js";

export function describeFinding({ kind, toolkit, tool, version, seenIn }: LockFinding): string {
  switch (kind) {
    case "moved":
      return `moved    ${tool}  its schemas or access in ${version} differ from the lockfile`;
    case "gone":
      return `gone     ${tool}  no longer in ${toolkit} ${version}`;
    case "changed":
      return `changed  ${tool}  its schemas or access in ${seenIn}, the latest, differ from ${version}`;
    case "reworded":
      return `reworded ${tool}  a model reads something else in ${toolkit} ${seenIn}`;
    case "removed":
      return `removed  ${tool}  no longer in ${toolkit} ${seenIn}, the latest`;
  }
}

/** The differences as lines of text. Breaking changes start with an exclamation mark. */
export function describeDiff(diffs: readonly ToolDiff[]): string[] {
  if (diffs.length === 0) return ["The latest versions match the lockfile."];
  const breaking = diffs.filter(({ breaks }) => breaks).length;
  const total = `${counted(diffs.length, "tool")} differ${diffs.length === 1 ? "s" : ""} from the lockfile, ${breaking} breaking.`;
  const reworded = diffs.filter(isReworded).length;
  const read = reworded === 0 ? "" : ` A model reads something else in ${reworded}.`;
  return [...diffs.flatMap(describeTool), "", total + read];
}

const HEADLINES: Readonly<Record<ToolDiff["change"], string>> = {
  added: "is new",
  removed: "was removed",
  changed: "changed",
  rewritten: "has other schemas with the same meaning",
  reworded: "reads differently to a model",
  unknown:
    "changed, but the service no longer has the locked schemas. Pass a catalog that has them with --from to compare",
};

function describeTool(diff: ToolDiff): string[] {
  const { slug, change, from, to, becameDeprecated, input, output, access, text, warnings, breaks } = diff;
  const versions = [from, to].filter((version) => version !== undefined).join(" -> ");
  return [
    `${mark(breaks)} ${slug} ${HEADLINES[change]} (${versions})`,
    ...(becameDeprecated ? ["      is now deprecated"] : []),
    ...input.map((edit) => describeChange("input", edit)),
    ...output.map((edit) => describeChange("output", edit)),
    ...access.map((edit) => describeChange("access", edit)),
    ...text.map((line) => `      ${line}`),
    ...warnings.map((warning) => `      warning: ${warning}`),
  ];
}

function describeChange(side: "input" | "output" | "access", { path, kind, text, breaks }: SchemaChange): string {
  return `  ${mark(breaks)} ${side.padEnd(6)} ${kind.padEnd(8)} ${path === "" ? "" : `${path} `}${text}`;
}

function mark(breaks: boolean): string {
  return breaks ? "!" : " ";
}
