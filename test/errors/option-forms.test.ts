import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ConfigError, ValidationError } from "../../src/index.js";
import { sized } from "../support/size.js";
import { CASES } from "./option-forms.js";

type Fields = Readonly<Record<string, unknown>>;

/** How a program may hold its options. */
const FORMS: Readonly<Record<string, (fields: Fields) => object>> = {
  "an object without a prototype": (fields) => Object.assign(Object.create(null), fields),
  getters: (fields) => withGetters({}, fields),
  "inherited fields": (fields) => Object.create(fields),
  "hidden fields": (fields) =>
    Object.defineProperties({}, Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { value }]))),
  "a class with getters": (fields) => {
    class Options {}
    withGetters(Options.prototype, fields);
    return new Options();
  },
  "a class with fields": (fields) => Object.assign(new (class Options {})(), fields),
  "a Proxy": (fields) => new Proxy({ ...fields }, {}),
  "a Proxy that lists nothing": (fields) => new Proxy({}, { get: (_, name) => fields[String(name)] }),
};

/** What holds no fields: settings in it would be ignored. */
const NO_OPTIONS: Readonly<Record<string, (fields: Fields) => unknown>> = {
  "a Map": (fields) => new Map(Object.entries(fields)),
  "an array": (fields) => [fields],
  "a promise": async (fields) => fields,
  "a function": (fields) => () => fields,
  "a class with methods": (fields) => {
    class Settings {
      get(name: string) {
        return fields[name];
      }
    }
    return new Settings();
  },
};

function withGetters(target: object, fields: Fields): object {
  for (const [name, value] of Object.entries(fields)) {
    let isRead = false;
    const get = () => {
      if (isRead) throw new Error(`${name} is read twice, so it can change after its check.`);
      isRead = true;
      return value;
    };
    Object.defineProperty(target, name, { get, enumerable: true });
  }
  return target;
}

const outcomeOf = async (call: () => unknown): Promise<unknown> => {
  try {
    return await call();
  } catch (error) {
    return error;
  }
};

const isConfigError = (error: unknown) => error instanceof ConfigError || error instanceof ValidationError;

/** In `npm test`, each function takes some of the forms, and each form is taken by some functions. */
const some = <Row>(rows: readonly Row[], turn: number) =>
  rows.filter((_, index) => index % sized(4, 1) === turn % sized(4, 1));

describe.each(Object.entries(CASES).map(([name, row], index) => [name, row, index] as const))(
  "%s",
  (_, { call, good, wrong, isDictionary, mayHaveState }, index) => {
    const given = (options: unknown) => outcomeOf(() => call(options as never));

    test.each(some(Object.entries(FORMS), index))("reads %s", async (form, make) => {
      const isHidden = form.includes("lists nothing");
      if (isHidden && isDictionary) return;
      expect(await given({ ...good })).not.toBeInstanceOf(Error);
      expect(await given(make(good))).not.toBeInstanceOf(Error);
      const rejected = await given({ ...good, ...wrong });
      expect(rejected).toSatisfy(isConfigError);
      expect(await given(make({ ...good, ...wrong }))).toEqual(rejected);
      if (isHidden || isDictionary || mayHaveState) return;
      expect(await given(make({ ...good, unknwon: 1 }))).toEqual(await given({ ...good, unknwon: 1 }));
    });

    test.skipIf(isDictionary || mayHaveState)("names the option that was meant", async () => {
      const meant = Object.keys(wrong)[0] ?? "";
      const rejected = await given({ ...good, [`${meant}e`]: undefined });
      expect(rejected).toSatisfy(isConfigError);
      expect(String(rejected)).toMatch(new RegExp(`\\b${meant}e\\b.*[Dd]id you mean ${meant}\\?`));
    });

    test.each(some(Object.entries(NO_OPTIONS), index))("rejects %s", async (form, make) => {
      // Conditions may be a function.
      if (isDictionary && form === "a function") return;
      expect(await given(make(good))).toSatisfy(isConfigError);
    });
  },
);

test("no public function that takes options is missing above", () => {
  const reports = globSync("scripts/api/*.d.ts").map((path) => readFileSync(path, "utf8"));
  const taking = reports.flatMap((report) =>
    [...report.matchAll(/^export declare function (\w+)(.*)$/gm)].flatMap(([, name = "", signature = ""]) =>
      /\b\w*(Options?|RuleMatch|CustomPolicy|SignWebhookInput|Budget)\b/.test(signature) ? [name] : [],
    ),
  );
  // These take a budget's methods, and the parts of a sample, which have no defaults.
  const others = ["shareRetryBudget", "sampleOf", "sampleObjectOf"];
  const sources = globSync("src/**/*.ts").map((path) => readFileSync(path, "utf8"));
  // A report may be older than a name.
  const exists = (name: string) => sources.some((source) => source.includes(`export function ${name}`));
  expect(taking.length).toBeGreaterThan(50);
  const missing = taking.filter((name) => exists(name) && !(name in CASES || others.includes(name)));
  expect(missing, "functions to add to CASES in test/errors/option-forms.ts").toEqual([]);
});
