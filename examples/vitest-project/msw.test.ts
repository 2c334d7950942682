// Tests of code that makes its own client, over MSW: client and emulator share nothing but HTTP.
// #region msw
import { setupServer } from "msw/node";
import { Svc } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";
import { mswHandlers } from "svc-sdk/testing/msw";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reportBug } from "./report-bug.js";

const emulator = createEmulator();
const server = setupServer(...mswHandlers(emulator, "https://api.example.com"));
beforeAll(() => server.listen());
afterAll(() => server.close());

test("opens an issue", async () => {
  const svc = new Svc({ baseUrl: "https://api.example.com", apiKey: emulator.connection.apiKey });
  expect(await reportBug(svc, "user-4711", "It broke")).toMatch(/\/issues\/1$/);
});
// #endregion
