import type { SchemaChange } from "./diff-schemas.js";
import { accessOf, canonicalJson, type LockableTool } from "./hash.js";

/**
 * Lists the changes of the access that a tool needs. More scopes break callers whose accounts don't have them. A tool
 * that needs an account, or no longer needs one, breaks them too: its calls run with another identity.
 */
export function diffAccess(before: LockableTool, after: LockableTool): SchemaChange[] {
  if (canonicalJson(accessOf(before)) === canonicalJson(accessOf(after))) return [];
  const changes: SchemaChange[] = [];
  if (!before.no_auth !== !after.no_auth) {
    const text = after.no_auth ? "can now be called without an account" : "now needs a connected account";
    changes.push({ path: "", kind: after.no_auth ? "loosened" : "narrowed", text, breaks: true });
  }
  const [were, are] = [requirementsOf(before), requirementsOf(after)];
  for (const scopes of are.filter((one) => !isImplied(one, were))) {
    changes.push({ path: "", kind: "narrowed", text: `now needs ${scopes.join(" or ")}`, breaks: true });
  }
  for (const scopes of were.filter((one) => !isImplied(one, are))) {
    changes.push({ path: "", kind: "loosened", text: `no longer needs ${scopes.join(" or ")}`, breaks: false });
  }
  // Without a change of the requirements, the flat list may still have another scope.
  const added = (after.scopes ?? []).filter((scope) => !before.scopes?.includes(scope));
  if (changes.length === 0 && added.length > 0) {
    changes.push({ path: "", kind: "narrowed", text: `now lists ${added.join(" and ")}`, breaks: true });
  }
  if (changes.length > 0) return changes;
  return [{ path: "", kind: "noted", text: "has the same scopes, listed differently", breaks: false }];
}

/** The scopes that a tool needs: one of each list. An entry of an unknown form stands for itself. */
function requirementsOf({ scopes = [], scope_requirements }: LockableTool): string[][] {
  return (scope_requirements?.all_of ?? scopes).map((entry) => {
    if (typeof entry === "string") return [entry];
    const { any_of } = Object(entry);
    return Array.isArray(any_of) ? any_of.map(String) : [canonicalJson(entry)];
  });
}

/** Whether an account that meets these requirements has one of the scopes. */
function isImplied(scopes: readonly string[], requirements: readonly (readonly string[])[]): boolean {
  return requirements.some((alternatives) => alternatives.every((scope) => scopes.includes(scope)));
}
