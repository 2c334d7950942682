import {
  type Alternative,
  AS_TEXT,
  type Bound,
  type BoundName,
  LOWER_BOUNDS,
  stricter,
  UPPER_BOUNDS,
} from "./alternative.js";
import type { Pair } from "./pair-alternatives.js";
import type { RawChange } from "./schema-change.js";

/** What changed in the conditions of one alternative: its type, values, bounds and other keywords. Its parts are left aside. */
export function conditionChanges({ before, after }: Pair): RawChange[] {
  return [
    ...typeChanges(before, after),
    ...valueChanges(before, after),
    ...[...LOWER_BOUNDS, ...UPPER_BOUNDS].flatMap((name) =>
      boundChanges(name, before.bounds[name], after.bounds[name]),
    ),
    ...otherChanges(before, after),
  ];
}

function typeChanges({ type: before }: Alternative, { type: after }: Alternative): RawChange[] {
  if (before === after) return [];
  // Only numbers and integers are paired across types.
  return after === "number"
    ? [{ path: "", kind: "loosened", text: "was an integer, may be any number now" }]
    : [{ path: "", kind: "narrowed", text: "was any number, must be an integer now" }];
}

function valueChanges({ values: before }: Alternative, { values: after }: Alternative): RawChange[] {
  if (!before && !after) return [];
  if (!before) return [{ path: "", kind: "narrowed", text: `must be ${list(after)} now` }];
  if (!after) return [{ path: "", kind: "loosened", text: `is no longer limited to ${list(before)}` }];
  const fresh = after.filter((value) => !before.includes(value));
  const gone = before.filter((value) => !after.includes(value));
  const changes: RawChange[] = [];
  if (gone.length === before.length) {
    return [{ path: "", kind: "replaced", text: `was ${list(before)}, is ${list(after)} now` }];
  }
  if (fresh.length > 0) changes.push({ path: "", kind: "loosened", text: `may also be ${list(fresh)} now` });
  if (gone.length > 0) changes.push({ path: "", kind: "narrowed", text: `may no longer be ${list(gone)}` });
  return changes;
}

function boundChanges(name: BoundName, before: Bound | undefined, after: Bound | undefined): RawChange[] {
  if (before?.value === after?.value && before?.isExclusive === after?.isExclusive) return [];
  const kind = stricter(name, before, after) === before ? "loosened" : "narrowed";
  if (!after) return [{ path: "", kind, text: `its ${name} of ${shown(before)} has gone` }];
  const was = before ? `was ${shown(before)}, ` : "";
  return [{ path: "", kind, text: `its ${name} ${was}is ${shown(after)} now` }];
}

function shown(bound: Bound | undefined): string {
  return bound ? `${bound.value}${bound.isExclusive ? " (exclusive)" : ""}` : "";
}

/** Keywords whose presence refuses values. Any other is a service's own and refuses nothing by JSON Schema. */
const REFUSING = new Set(
  "pattern format multipleOf uniqueItems not if then else contains minContains maxContains propertyNames patternProperties dependentRequired dependentSchemas dependencies unevaluatedProperties unevaluatedItems contentEncoding contentMediaType file_uploadable $recursiveRef $dynamicRef".split(
    " ",
  ),
);

function otherChanges({ others: before }: Alternative, { others: after }: Alternative): RawChange[] {
  const keywords = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keywords.flatMap((keyword): RawChange[] => {
    const [was, is] = [before[keyword]?.join(" and "), after[keyword]?.join(" and ")];
    if (was === is) return [];
    if (keyword === AS_TEXT) return [{ path: "", kind: "replaced", text: "its combination of alternatives changed" }];
    const isRefusing = REFUSING.has(keyword);
    if (was === undefined)
      return [{ path: "", kind: isRefusing ? "narrowed" : "noted", text: `has ${keyword} ${is} now` }];
    if (is === undefined)
      return [{ path: "", kind: isRefusing ? "loosened" : "noted", text: `its ${keyword} ${was} has gone` }];
    return [{ path: "", kind: isRefusing ? "replaced" : "noted", text: `its ${keyword} was ${was}, is ${is} now` }];
  });
}

function list(values: readonly string[] | undefined): string {
  const shownValues = (values ?? []).slice(0, 10);
  const hidden = (values?.length ?? 0) - shownValues.length;
  return shownValues.join(" or ") + (hidden > 0 ? ` or one of ${hidden} more` : "");
}
