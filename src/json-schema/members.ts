import { child, isObject, isString, type Json } from "../shared/json.js";
import { listOf } from "./references.js";
import type { Fitting, SchemaTests, Test } from "./schema-tests.js";
import { hasType } from "./type-bits.js";
import { spend } from "./work.js";

/** A property that a schema declares or requires, or all others. */
interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly types: number;
  /** The test of a property that lists its values, as one that tells the branches of a union apart does. */
  readonly values: Test | undefined;
  readonly inside: Test | undefined;
}

/** The properties that a schema declares, requires and takes. */
interface Members {
  readonly byName: ReadonlyMap<string, Member>;
  readonly others: Member | undefined;
  readonly mustHave: number;
  readonly isDeep: boolean;
  /** The property that is expected at each place. The objects of a list mostly have the same ones in the same order. */
  readonly order: Member[];
}

/** The test of the properties that an object must have, and of those that it has. */
export function membersTest(schema: Json, tests: SchemaTests): Test | undefined {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = new Set(listOf(schema["required"]).filter(isString));
  // Properties that aren't declared may be anything if a pattern can match them.
  const rest: unknown = "patternProperties" in schema ? undefined : schema["additionalProperties"];
  const names = new Set([...Object.keys(properties), ...required]);
  if (rest === undefined && names.size === 0) return undefined;
  const memberOf = (name: string, inner: unknown, isRequired: boolean): Member => {
    const { types, more } = tests.of(inner);
    const isTelling = child(inner, "const") !== undefined || Array.isArray(child(inner, "enum"));
    return { name, isRequired, types, values: isTelling ? more : undefined, inside: isTelling ? undefined : more };
  };
  const membersOf = (): Members => {
    const order = [...names].map((name) => {
      const inner = Object.hasOwn(properties, name) ? properties[name] : rest;
      return memberOf(name, inner, required.has(name));
    });
    const others = rest === undefined ? undefined : memberOf("", rest, false);
    const byName = new Map(order.map((member) => [member.name, member]));
    const isDeep = [...order, others].some((member) => member?.inside);
    return { byName, others, mustHave: required.size, isDeep, order };
  };
  let members: Members | undefined;
  return (value, fitting) => {
    if (!isObject(value)) return true;
    members ??= membersOf();
    // Types and listed values are compared before anything inside of a property.
    if (!haveAll(members, value, fitting, false)) return false;
    if (!members.isDeep) return true;
    fitting.enter();
    const fits = haveAll(members, value, fitting, true);
    fitting.leave();
    return fits;
  };
}

/** Whether an object has what is required, and its properties fit. */
function haveAll(
  { order, byName, others, mustHave }: Members,
  value: Json,
  fitting: Fitting,
  isInside: boolean,
): boolean {
  let place = 0;
  let required = 0;
  let fits = true;
  for (const name in value) {
    // biome-ignore lint/suspicious/noPrototypeBuiltins: engines know its result here, unlike that of Object.hasOwn.
    if (!Object.prototype.hasOwnProperty.call(value, name)) continue;
    let member = order[place];
    if (member === undefined || member.name !== name) {
      member = byName.get(name);
      if (member && place < order.length) order[place] = member;
      member ??= others;
    }
    place += 1;
    if (member === undefined) continue;
    if (member.isRequired) required += 1;
    const { types, values, inside } = member;
    fits = isInside
      ? inside === undefined || inside(value[name], fitting)
      : hasType(types, value[name]) && (values === undefined || values(value[name], fitting));
    if (!fits) break;
  }
  spend(1 + place);
  return fits && required === mustHave;
}
