import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { optionsPage } from "../scripts/options-page.ts";
import { OPTIONS } from "../src/client/options/checks.js";
import { CREDENTIALS } from "../src/shared/credentials.js";

test("the page of options matches the table in the code", () => {
  const page = readFileSync("docs/options.md", "utf8");
  expect(optionsPage(OPTIONS), "run npm run write").toBe(page);
});

const source = readFileSync("src/client/options/options.ts", "utf8");

test("each option's doc names its environment variable", () => {
  const variables = Object.values({ ...OPTIONS, ...CREDENTIALS }).flatMap((rule) =>
    "variable" in rule && rule.variable !== undefined ? [rule.variable] : [],
  );
  const documented = [...source.matchAll(/Falls back to `(\w+)`/g)].map(([, variable]) => variable);
  expect(documented.toSorted()).toEqual(variables.toSorted());
});

test("each option's doc contains its default", () => {
  const documented = [...source.matchAll(/@default ([^\n]+)\n\s+\*\/\n\s+(\w+)\?:/g)].map(([, value, name]) => [
    name,
    value,
  ]);
  const withDefault = Object.entries(OPTIONS).filter(([, rule]) => "default" in rule);
  const values = Object.fromEntries(documented);
  for (const [name, rule] of withDefault) {
    const shown = JSON.stringify("default" in rule ? rule.default : undefined);
    expect(String(values[name]).replaceAll("_", ""), name).toBe(shown);
  }
});
