import { mapMembers } from "../../shared/json.js";
import { canonicalJson } from "../canonical.js";
import { sha256 } from "./sha256.js";

/** A copy of a rule that no one else can change. */
export function copied(value: unknown): unknown {
  return mapped(value, (member) => member);
}

/** SHA-256 of rules, whatever the order of their keys, in hexadecimal. Functions count with their source code. */
export function rulesDigest(rules: unknown): string {
  return sha256(
    canonicalJson(mapped(rules, (member) => (typeof member === "function" ? { code: String(member) } : member))),
  );
}

function mapped(value: unknown, leaf: (member: unknown) => unknown): unknown {
  return typeof value === "object" ? mapMembers(value, (member) => mapped(member, leaf)) : leaf(value);
}
