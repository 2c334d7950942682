// Writes the checks of webhook events from their schemas, so that a receiver needs neither zod nor generated code.
// test/webhooks/event-checks.test.ts fails if it has to run again.
//
//   node scripts/event-checks.ts
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type * as z from "zod/mini";
import { sourceModule } from "./source-module.ts";

export const CHECKS = "src/webhooks/event-checks.ts";
const SCHEMAS = "src/resources/events/schema.ts";

/** The exports of the schema module. */
interface Schemas {
  readonly EventV3: z.core.$ZodType;
  readonly TriggerMessageV2: z.core.$ZodType;
  readonly TriggerMessageV1: z.core.$ZodType;
}

/** The module of checks for these schemas. @throws if no check is written for a schema. */
export function eventChecks({ EventV3, TriggerMessageV2, TriggerMessageV1 }: Schemas): string {
  const module = `// Written by node scripts/event-checks.ts from ${SCHEMAS}: do not edit.
import type { PayloadVersion } from "../resources/events/schema.js";
import { isObject, isString, type Json } from "../shared/json.js";

/** Whether an event matches its schema. Expects a result of JSON.parse, so an undefined field is a missing one. */
type EventCheck = (event: Json) => boolean;

const isOptionalStringOrNull = (value: unknown): boolean => value === undefined || value === null || isString(value);

/** The check of each event type, by payload format. */
export const EVENT_CHECKS: Readonly<Record<PayloadVersion, ReadonlyMap<string | undefined, EventCheck>>> = {
  V3: ${mapOf(variants(EventV3))},
  V2: ${mapOf([[TRIGGER_MESSAGE, checkOf(TriggerMessageV2)]])},
  V1: ${mapOf([[TRIGGER_MESSAGE, checkOf(TriggerMessageV1)]])},
};
`;
  const format = ["node_modules/@biomejs/biome/bin/biome", "format", `--stdin-file-path=${CHECKS}`];
  return execFileSync(process.execPath, format, { input: module, encoding: "utf8" });
}

/** The only event type of the formats before V3, whose events don't state it. */
const TRIGGER_MESSAGE = "svc.trigger.message";

const mapOf = (checks: readonly (readonly [type: string, check: string])[]) =>
  `new Map([${checks.map(([type, check]) => `[${JSON.stringify(type)}, ${check}]`).join(",")}])`;

/** The checks of a union's members, by discriminator value. */
function variants(union: z.core.$ZodType): [type: string, check: string][] {
  const def = defOf(union);
  if (def.type !== "union" || !("discriminator" in def)) throw new Error("EventV3 isn't a discriminated union.");
  const discriminator = String(def.discriminator);
  return def.options.map((option) => {
    const { [discriminator]: member, ...others } = shapeOf(option);
    const literal = member && defOf(member);
    if (literal?.type !== "literal" || literal.values.length !== 1) {
      throw new Error(`A member of EventV3 has no unique literal ${discriminator}.`);
    }
    return [String(literal.values[0]), checkOfFields(others)];
  });
}

const checkOf = (event: z.core.$ZodType) => checkOfFields(shapeOf(event));

/** The check of an event that is known to be an object. */
function checkOfFields(fields: z.core.$ZodShape): string {
  const conditions = Object.entries(fields).flatMap(([name, field]) => conditionsOf(field, name));
  return `({ ${Object.keys(fields).join(", ")} }) => ${conditions.join(" && ")}`;
}

function shapeOf(schema: z.core.$ZodType): z.core.$ZodShape {
  const def = defOf(schema);
  if (def.type !== "object") throw new Error(`An event must be an object, not of kind ${def.type}.`);
  return def.shape;
}

/** The conditions on this expression's value, to be joined with `&&`. */
function conditionsOf(schema: z.core.$ZodType, value: string): string[] {
  const def = defOf(schema);
  const or = (alternative: string, inner: z.core.$ZodType) => {
    const condition = `(${value} === ${alternative} || ${conditionsOf(inner, value).join(" && ")})`;
    return [shortOf(condition, value) ?? condition];
  };
  switch (def.type) {
    case "string":
      return [`isString(${value})`];
    case "optional":
      return or("undefined", def.innerType);
    case "nullable":
      return or("null", def.innerType);
    case "object":
      return [
        `isObject(${value})`,
        ...Object.entries(def.shape).flatMap(([name, field]) =>
          conditionsOf(field, `${value}[${JSON.stringify(name)}]`),
        ),
      ];
    case "record":
      if (defOf(def.keyType).type !== "string" || defOf(def.valueType).type !== "unknown") {
        throw new Error(`${value} is a record whose keys or values must be checked. No check is written for that.`);
      }
      return [`isObject(${value})`];
    case "intersection":
      return [...new Set([def.left, def.right].flatMap((side) => conditionsOf(side, value)))];
    default:
      throw new Error(`${value} is of kind ${def.type}. No check is written for it.`);
  }
}

/** A frequent condition as a function of the module, which makes a receiver smaller. */
function shortOf(condition: string, value: string): string | undefined {
  const isNullable = condition === `(${value} === undefined || (${value} === null || isString(${value})))`;
  return isNullable ? `isOptionalStringOrNull(${value})` : undefined;
}

/** The parts that may define a schema of each known kind. */
const KNOWN_PARTS: Readonly<Record<string, readonly string[]>> = {
  string: [],
  unknown: [],
  literal: ["values"],
  object: ["shape"],
  record: ["keyType", "valueType"],
  optional: ["innerType"],
  nullable: ["innerType"],
  intersection: ["left", "right"],
  union: ["options", "discriminator", "inclusive"],
};

/** The definition of a schema. @throws if a part of it would be ignored: a limit, a format, a ban on other fields. */
function defOf(schema: z.core.$ZodType): z.core.$ZodTypes["_zod"]["def"] {
  // All kinds of zod schemas, by `type`. A kind that zod adds reaches the error below.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const { type, ...parts } = def;
  const known = KNOWN_PARTS[type];
  const ignored = known && Object.keys(parts).filter((part) => !known.includes(part));
  if (ignored?.length === 0) return def;
  throw new Error(`No check is written for schemas of kind ${[type, ...(ignored ?? [])].join(" with ")}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(CHECKS, eventChecks(await sourceModule<Schemas>(SCHEMAS)));
}
