import { child, isObject, isString, type Json } from "../../shared/json.js";
import { listOf } from "../references.js";
import { spend } from "../step-limit.js";
import { type Fitting, type SchemaTests, type Test, testOf } from "./schema-tests.js";
import { isOfType, plainType } from "./type-bits.js";

/** A property that a schema declares or requires, or all others. */
interface Member {
  readonly name: string;
  /** 1 if it is required, otherwise 0: what is required is counted. */
  readonly required: number;
  /** A frequent type. A value that has it needs no other test, except of its inside. */
  readonly plain: number;
  /** Compares its type. If it lists its values, as one that tells the branches of a union apart does, also these. */
  readonly outside: Test;
  readonly inside: Test | undefined;
}

/** All other properties, if a schema says nothing about them. */
const UNMENTIONED: Member = { name: "", required: 0, plain: 0, outside: () => true, inside: undefined };

/** The test of the properties that an object must have, and of those that it has. */
export function membersTest(schema: Json, tests: SchemaTests): Test | undefined {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = new Set(listOf(schema["required"]).filter(isString));
  // Properties that aren't declared may be anything if a pattern can match them.
  const rest: unknown = "patternProperties" in schema ? undefined : schema["additionalProperties"];
  const names = new Set([...Object.keys(properties), ...required]);
  if (rest === undefined && names.size === 0) return undefined;
  const innerOf = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : rest);
  let members: Members | undefined;
  const made = () => {
    const declared = [...names].map((name) => memberOf(name, required.has(name), innerOf(name), tests));
    members = new Members(declared, rest === undefined ? UNMENTIONED : memberOf("", false, rest, tests));
    return members;
  };
  const test: Test = (value, fitting) => !isObject(value) || (members ?? made()).fit(value, fitting);
  const fitUntil: Test["fitUntil"] = (items, start, fitting) => (members ?? made()).fitUntil(items, start, fitting);
  return Object.assign(test, { fitUntil });
}

function memberOf(name: string, isRequired: boolean, schema: unknown, tests: SchemaTests): Member {
  const { types, more } = tests.of(schema);
  const isTelling = child(schema, "const") !== undefined || Array.isArray(child(schema, "enum"));
  const outside = testOf({ types, more: isTelling ? more : undefined });
  const plain = isTelling ? 0 : plainType(types);
  return { name, required: isRequired ? 1 : 0, plain, outside, inside: isTelling ? undefined : more };
}

/** The properties that a schema declares, requires and takes. */
class Members {
  readonly #byName: ReadonlyMap<string, Member>;
  readonly #others: Member;
  readonly #isDeep: boolean;
  /** The number of required properties. */
  readonly mustHave: number;
  /** The property that is expected at each place. The objects of a list mostly have the same ones in the same order. */
  readonly order: Member[];

  constructor(declared: Member[], others: Member) {
    this.order = declared;
    this.#byName = new Map(declared.map((member) => [member.name, member]));
    this.#others = others;
    this.mustHave = declared.filter((member) => member.required).length;
    this.#isDeep = [...declared, others].some((member) => member.inside);
  }

  fit(value: Json, fitting: Fitting): boolean {
    // Types and listed values are compared before anything inside of a property.
    if (!outsideFits(this, value, fitting)) return false;
    if (!this.#isDeep) return true;
    fitting.enter();
    const fits = insideFits(this, value, fitting);
    fitting.leave();
    return fits;
  }

  fitUntil(items: readonly unknown[], start: number, fitting: Fitting): number {
    if (this.#isDeep) return start;
    let index = plainUntil(this, items, start);
    for (let item = items[index]; isObject(item) && outsideFits(this, item, fitting); item = items[index])
      index = plainUntil(this, items, index + 1);
    return index;
  }

  /** The member that is found at a place where another one was expected. */
  found(name: string, place: number): Member {
    const member = this.#byName.get(name);
    if (member && place < this.order.length) this.order[place] = member;
    return member ?? this.#others;
  }
}

// The loops below decide how long a check takes. Engines know the result of `hasOwnProperty` in such a loop, unlike
// that of `Object.hasOwn`, and they compile a small function with one loop best.

/** The index of the first item from one on that isn't an object with the expected properties in order, all plain. */
function plainUntil({ order, mustHave }: Members, items: readonly unknown[], start: number): number {
  let index = start;
  let steps = 0;
  list: for (; index < items.length; index += 1) {
    const item = items[index];
    if (!isObject(item)) break;
    let place = 0;
    let required = 0;
    for (const name in item) {
      // biome-ignore lint/suspicious/noPrototypeBuiltins: see above.
      if (!Object.prototype.hasOwnProperty.call(item, name)) continue;
      const member = order[place];
      if (member === undefined || member.name !== name || !isOfType(member.plain, item[name])) break list;
      required += member.required;
      place += 1;
    }
    if (required !== mustHave) break;
    steps += 1 + place;
  }
  spend(steps);
  return index;
}

/** Whether an object has what is required, and its properties have the types and values that fit. */
function outsideFits(members: Members, value: Json, fitting: Fitting): boolean {
  const { order, mustHave } = members;
  let place = 0;
  let required = 0;
  let fits = true;
  for (const name in value) {
    // biome-ignore lint/suspicious/noPrototypeBuiltins: see above.
    if (!Object.prototype.hasOwnProperty.call(value, name)) continue;
    let member = order[place];
    if (member === undefined || member.name !== name) member = members.found(name, place);
    required += member.required;
    place += 1;
    fits = isOfType(member.plain, value[name]) || member.outside(value[name], fitting);
    if (!fits) break;
  }
  spend(1 + place);
  return fits && required === mustHave;
}

/** Whether what is inside of an object's properties fits. */
function insideFits(members: Members, value: Json, fitting: Fitting): boolean {
  const { order } = members;
  let place = 0;
  let fits = true;
  for (const name in value) {
    // biome-ignore lint/suspicious/noPrototypeBuiltins: see above.
    if (!Object.prototype.hasOwnProperty.call(value, name)) continue;
    let member = order[place];
    if (member === undefined || member.name !== name) member = members.found(name, place);
    place += 1;
    fits = member.inside === undefined || member.inside(value[name], fitting);
    if (!fits) break;
  }
  spend(1 + place);
  return fits;
}
