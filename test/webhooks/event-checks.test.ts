import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { CHECKS, eventChecks } from "../../scripts/event-checks.js";
import * as schemas from "../../src/resources/events/schema.js";
import { isObject } from "../../src/shared/json.js";
import { EVENT_CHECKS } from "../../src/webhooks/event-checks.js";
import { arbitraryOf, fits } from "../contract/arbitrary.js";
import { ACTIVATED, DISABLED, EXPIRED, TRIGGER_V1, TRIGGER_V2, TRIGGER_V3 } from "./samples.js";

const { EventV3, TriggerMessageV1, TriggerMessageV2 } = schemas;

/** Whether an event of this type passes its check in this format. */
const passes = (version: keyof typeof EVENT_CHECKS, type: unknown, event: Record<string, unknown>): boolean =>
  typeof type === "string" && EVENT_CHECKS[version].get(type)?.(event) === true;

const SAMPLES = [TRIGGER_V3, EXPIRED, ACTIVATED, DISABLED, TRIGGER_V2, TRIGGER_V1];

/** Each schema with its check, which parsing calls with objects only. */
const FORMATS: readonly [name: string, schema: z.core.$ZodType, check: (event: Record<string, unknown>) => boolean][] =
  [
    ["V3", EventV3, (event) => passes("V3", event["type"], event)],
    ["V2", TriggerMessageV2, (event) => passes("V2", "svc.trigger.message", event)],
    ["V1", TriggerMessageV1, (event) => passes("V1", "svc.trigger.message", event)],
  ];

const REPLACEMENTS: readonly unknown[] = [
  undefined,
  null,
  "",
  "svc.trigger.message",
  0,
  true,
  [],
  ["text"],
  {},
  { constructor: null },
];

/** The event with one of its fields, at any depth, replaced by each of these; `undefined` removes it. */
function* changesOf(event: unknown, replacements: readonly unknown[]): Generator<unknown> {
  if (!isObject(event)) return;
  for (const [name, value] of Object.entries(event)) {
    for (const changed of [...replacements, ...changesOf(value, replacements)]) yield { ...event, [name]: changed };
  }
}

/** The event as received: without undefined fields, and with `__proto__` as a normal field. */
const received = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function expectAgreement(value: unknown): void {
  const event = received(value);
  if (!isObject(event)) return;
  for (const [name, schema, check] of FORMATS) {
    if (check(event) !== fits(schema, event)) {
      expect.fail(`${name}: the check returns ${check(event)}, the schema ${!check(event)}: ${JSON.stringify(event)}`);
    }
  }
}

test("the event checks are up to date with their schemas", () => {
  expect(readFileSync(CHECKS, "utf8"), "run npm run write").toBe(eventChecks(schemas));
});

describe("a check and its schema agree", () => {
  test("on every sample, and with each of its fields removed or replaced by any kind of value", () => {
    for (const sample of SAMPLES) {
      expect(FORMATS.filter(([, , check]) => check(sample))).toHaveLength(1);
      expectAgreement(sample);
      for (const changed of changesOf(sample, REPLACEMENTS)) expectAgreement(changed);
    }
  });

  test.each(FORMATS)("on any matching %s, and on it with any field replaced by any JSON", (_name, schema, check) => {
    const events = arbitraryOf(schema).map(received).filter(isObject);
    const property = fc.property(events, fc.jsonValue({ maxDepth: 2 }), (event, replacement) => {
      expect(check(event)).toBe(true);
      for (const changed of changesOf(event, [undefined, replacement])) expectAgreement(changed);
    });
    fc.assert(property, { numRuns: 100 });
  });

  test("on any JSON, including event types and special property names", () => {
    const names = fc.constantFrom("type", "data", "metadata", "payload", "__proto__", "constructor", "hasOwnProperty");
    const strings = fc.constantFrom(...schemas.EVENT_TYPES, "__proto__", "constructor", "toString");
    const objects = fc.dictionary(names, fc.oneof(strings, fc.jsonValue({ maxDepth: 2 })));
    fc.assert(
      fc.property(objects, fc.constantFrom(...SAMPLES), (odd, sample) => {
        expectAgreement(odd);
        expectAgreement({ ...sample, ...odd });
        if ("data" in sample) expectAgreement({ ...sample, data: { ...odd, ...sample.data } });
      }),
      { numRuns: 300 },
    );
  });
});

const event = z.object({ id: z.string() });
const typed = z.object({ type: z.literal("x") });
const union = z.discriminatedUnion("type", [typed]);

test.each<[string, z.core.$ZodType]>([
  ["number", z.object({ count: z.number() })],
  ["array", z.object({ list: z.array(z.string()) })],
  ["with checks", z.object({ id: z.string().check(z.minLength(1)) })],
  ["with format", z.object({ id: z.email() })],
  ["with catchall", z.strictObject({ id: z.string() })],
  ["with catchall", z.looseObject({ id: z.string() })],
  ["record", z.object({ data: z.record(z.string(), z.string()) })],
  ["record", z.object({ data: z.record(z.literal("a"), z.unknown()) })],
  ["of kind literal", z.object({ type: z.literal(["a", "b"]) })],
  ["of kind string", z.string()],
])("throws for a schema that no check is written for: %s", (named, schema) => {
  const checks = () => eventChecks({ EventV3: union, TriggerMessageV2: event, TriggerMessageV1: schema });
  expect(checks).toThrow(named);
});

test.each<[string, z.core.$ZodType]>([
  ["isn't a discriminated union", typed],
  ["isn't a discriminated union", z.union([typed])],
  ["no unique literal", z.discriminatedUnion("type", [z.object({ type: z.literal(["x", "y"]) })])],
])("throws for events without a unique literal discriminator: %s", (named, schema) => {
  const checks = () => eventChecks({ EventV3: schema, TriggerMessageV2: event, TriggerMessageV1: event });
  expect(checks).toThrow(named);
});
