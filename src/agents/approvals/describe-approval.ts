import { formatPath } from "../../errors/mismatch-words.js";
import { escapeUnclear } from "../../shared/hidden-text.js";
import { isObject } from "../../shared/json.js";
import type { ApprovalBudget, ApprovalFile, InnerApproval, PendingApproval } from "../pending-approval.js";
import { periodWords } from "../policy/reasons.js";
import type { ArgumentOrigin } from "../value-origins.js";

/**
 * A difference between the arguments of a model's earlier request and of this one. Values are JSON. An absent value is
 * `undefined`.
 */
export interface ArgumentChange {
  /** Path of the argument, such as `labels[0]`. */
  readonly path: string;
  /** The value before. */
  readonly before: string | undefined;
  /** The value now. */
  readonly after: string | undefined;
}

/**
 * Describes a call for the person who decides: the tool, the user, all arguments, and the changes since the model's
 * earlier request. Characters that could disguise a value, such as hidden characters and unusual spaces, are shown as
 * escapes.
 */
export function describeApproval(pending: PendingApproval): string {
  const { call, arguments: args, description, inner, version, userId, accountId, sessionId, files } = pending;
  const lines = [
    `Run ${quoted(call.name)}${version === null ? "" : `, version ${quoted(version)}`}`,
    // What a tool that runs several others does is said by those.
    ...(description === "" || inner.length > 0 ? [] : [`What it does: ${quoted(description)}`]),
    ...listed("It runs", inner.map(innerLine)),
    `For: ${[
      ...(userId === null ? [] : [`user ${quoted(userId)}`]),
      ...(sessionId === null ? [] : [`agent session ${quoted(sessionId)}`]),
      ...(accountId === null ? [] : [`connected account ${quoted(accountId)}${accountWords(pending)}`]),
    ].join(", ")}`,
    `Needs approval because: ${quoted(pending.reason)}`,
    ...labelLines(pending),
    ...listed(
      "With these arguments",
      [...leaves(args)].map(([path, value]) => `${path}: ${value}`),
    ),
    ...listed("These values appear in earlier results", pending.origins.map(originLine)),
    ...listed("And these files", files.map(fileLine)),
    ...listed("Left of its budgets", pending.budgets.map(budgetLine)),
    ...listed("Changed since it was asked for before", approvalChanges(pending).map(changeLine)),
  ];
  return lines.map(escapeUnclear).join("\n");
}

/**
 * Lists the changes since the model's earlier request. Empty without an earlier request, and if nothing has changed.
 */
export function approvalChanges({ previousArguments, arguments: args }: PendingApproval): ArgumentChange[] {
  if (previousArguments === null) return [];
  const [before, after] = [leaves(previousArguments), leaves(args)];
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths
    .map((path) => ({ path, before: before.get(path), after: after.get(path) }))
    .filter((change) => change.before !== change.after);
}

/** Every value of the arguments that has no members, as JSON, by its path. */
function leaves(value: unknown, path: readonly PropertyKey[] = []): Map<string, string> {
  const members: [PropertyKey, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(isObject(value) ? value : {}).map(([name, member]) => [keyOf(name), member]);
  if (members.length === 0) return new Map([[formatPath(path) || "(none)", JSON.stringify(value) ?? "null"]]);
  return new Map(members.flatMap(([key, member]) => [...leaves(member, [...path, key])]));
}

/** A name that could be read as another path, or as another line, is quoted. */
const keyOf = (name: string) => (/^[\p{L}\p{N}_-]+$/u.test(name) ? name : JSON.stringify(name));

/** One line: what a model or a stranger wrote can't look like another line of the description. */
const quoted = (text: string) => (/^[\w@.:+[\]-]+$/.test(text) ? text : JSON.stringify(text));

const fileLine = ({ source, sha256, bytes, filename, mimetype }: ApprovalFile) =>
  `${JSON.stringify(filename)} (${JSON.stringify(mimetype)}, ${bytes} bytes, SHA-256 ${sha256}) from ${JSON.stringify(source)}`;

/** Names of an account by which a person recognizes it. */
function accountWords({ account }: PendingApproval): string {
  const facts = Object.entries(account).map(([name, value]) => `${quoted(name)} ${quoted(value)}`);
  return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
}

/** The lines on the results that the model has read. */
function labelLines({ labels }: PendingApproval): string[] {
  if (labels === null) return ["Labels of the conversation: unknown"];
  return labels.length === 0 ? [] : [`Labels of the conversation: ${labels.map(quoted).join(", ")}`];
}

const innerLine = ({ name, description, reason }: InnerApproval) =>
  [
    quoted(name),
    ...(description === "" ? [] : [quoted(description)]),
    ...(reason === null ? [] : [`needs approval because: ${quoted(reason)}`]),
  ].join(", ");

function budgetLine({ budget, unit, limit, left, windowMs, requested }: ApprovalBudget): string {
  const passed = requested === undefined ? "" : `. The call uses ${requested}, and may pass this limit`;
  return `${quoted(budget)}: ${left} of ${limit} ${unit}${periodWords(windowMs)}${passed}`;
}

const originLine = ({ argument, tool, place }: ArgumentOrigin) =>
  `${quoted(argument)}: ${quoted(tool)}${place === "" ? "" : `, ${quoted(place)}`}`;

const changeLine = ({ path, before = "absent", after = "absent" }: ArgumentChange) => `${path}: ${before} → ${after}`;

const listed = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
