import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sampled } from "../support/size.js";
import { CAUSES, messageOf } from "./causes.js";

/** Jest prints these; it isn't installed here. */
const OF_JEST = ["Must use import to load ES Module", "TextEncoder is not defined"];

const page = readFileSync("docs/guide/troubleshooting.md", "utf8");
const headings = [...page.matchAll(/^### `(.+)`$/gm)].map(([, heading = ""]) => heading);

test("the page of troubleshooting has exactly the messages that are tested", () => {
  expect(headings.length).toBeGreaterThan(20);
  expect([...headings].sort()).toEqual([...Object.keys(CAUSES), ...OF_JEST].sort());
});

test.each(sampled(Object.entries(CAUSES), 3))(
  "prints the message of the page of troubleshooting: %s",
  async (heading, cause) => {
    expect(await messageOf(cause)).toContain(heading);
  },
);
