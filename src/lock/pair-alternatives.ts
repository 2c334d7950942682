import { isObject } from "../json.js";
import { type Alternative, alternativeText } from "./alternative.js";
import { canonicalSchema } from "./json-schema.js";

/** The same alternative, before and after. */
export interface Pair {
  readonly before: Alternative;
  readonly after: Alternative;
}

/** Which alternatives of two versions belong together, and which stand alone. */
export interface Pairing {
  readonly pairs: readonly Pair[];
  readonly gone: readonly Alternative[];
  readonly fresh: readonly Alternative[];
}

/** Finds for each alternative the one it was before: of the same type, and the most alike where there are several. */
export function pairAlternatives(befores: readonly Alternative[], afters: readonly Alternative[]): Pairing {
  const texts = new Map([...befores, ...afters].map((alternative) => [alternative, alternativeText(alternative)]));
  const candidates = befores
    .flatMap((before) =>
      afters.map((after) => {
        const names = [texts.get(before), texts.get(after)].sort();
        return { before, after, likeness: likeness(before, after, names[0] === names[1]), names: names.join() };
      }),
    )
    .filter((candidate) => candidate.likeness > 0)
    // Where two are equally alike, their order in the schemas must not decide.
    .sort((one, other) => other.likeness - one.likeness || (one.names < other.names ? -1 : 1));
  const pairs: Pair[] = [];
  const paired = new Set<Alternative>();
  for (const { before, after } of candidates) {
    if (paired.has(before) || paired.has(after)) continue;
    paired.add(before).add(after);
    pairs.push({ before, after });
  }
  // In the order of the schema, whatever was most alike.
  pairs.sort((one, other) => afters.indexOf(one.after) - afters.indexOf(other.after));
  const isAlone = (alternative: Alternative) => !paired.has(alternative);
  return { pairs, gone: befores.filter(isAlone), fresh: afters.filter(isAlone) };
}

/** How alike two alternatives are; 0 where they cannot be the same one. */
function likeness(before: Alternative, after: Alternative, isEqual: boolean): number {
  if (isEqual) return Number.MAX_SAFE_INTEGER;
  if (before.type !== after.type) return isNumeric(before.type) && isNumeric(after.type) ? 1 : 0;
  const marks = [discriminantOf(before), discriminantOf(after)];
  if (marks[0] !== undefined && marks[1] !== undefined) return marks[0] === marks[1] ? 1_000 : 0;
  const shared = [...before.properties.keys()].filter((name) => after.properties.has(name)).length;
  const equalItems = canonicalSchema(before.items) === canonicalSchema(after.items) ? 1 : 0;
  const sharedValues = before.values?.filter((value) => after.values?.includes(value)).length ?? 0;
  return 2 + shared + equalItems + sharedValues;
}

function isNumeric(type: string): boolean {
  return type === "integer" || type === "number";
}

/** The property with one possible value by which people and programs tell alternatives apart: `kind="user"`. */
export function discriminantOf({ properties, required }: Alternative): string | undefined {
  for (const name of required) {
    const property = properties.get(name);
    if (!isObject(property)) continue;
    const only =
      Array.isArray(property["enum"]) && property["enum"].length === 1 ? property["enum"][0] : property["const"];
    if (typeof only === "string") return `${name}=${JSON.stringify(only)}`;
  }
  return undefined;
}
