import { expect, test } from "vitest";
import { CREDENTIALS, KEY_OR_SECRET, KEY_START, SECRET_START } from "../../src/shared/credentials.js";

const ISSUED = Object.values(CREDENTIALS).flatMap(({ issued }) => issued ?? []);

test("KEY_START finds the start of every kind of key, and only there", () => {
  expect(ISSUED.map((issued) => KEY_START.exec(`${issued}1`)?.[0])).toEqual(["ak_", "uak_", "oak_"]);
  expect(ISSUED.map((issued) => KEY_START.test(`a ${issued}1`))).toEqual([false, false, false]);
});

test("KEY_OR_SECRET finds every kind of key, and a subscription's secret, at the start of each word", () => {
  const starts = [...ISSUED, SECRET_START];
  expect(starts.map((start) => KEY_OR_SECRET.exec(`https://${start}1`)?.[0])).toEqual(starts);
  expect(KEY_OR_SECRET.test("https://break_1.example.com")).toBe(false);
});
