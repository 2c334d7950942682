// Records a service's responses in issues.json, and replays them in tests. To record them again, set SVC_BASE_URL,
// SVC_API_KEY and RECORD.
// #region cassette
import { fileURLToPath } from "node:url";
import { Svc } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";
import { cassetteSeed, recordFetch, replayFetch } from "svc-sdk/testing/cassettes";
import { expect, test } from "vitest";
import { reportBug } from "./report-bug.js";

const file = fileURLToPath(new URL("issues.json", import.meta.url));
const svc = process.env["RECORD"]
  ? new Svc({ fetch: recordFetch({ file }) })
  : new Svc({ baseUrl: "https://api.example.com", apiKey: "ak_replay", fetch: replayFetch({ file }) });

test("opens an issue, as the service did when it was recorded", async () => {
  expect(await reportBug(svc, "user-4711", "It broke")).toMatch(/\/issues\/1$/);
});
// #endregion

// #region seed
test("opens it in an emulator that knows the recorded responses", async () => {
  const emulator = createEmulator(cassetteSeed(file));
  const local = new Svc(emulator.connection);
  expect(await reportBug(local, "user-4711", "It broke")).toMatch(/\/issues\/1$/);
  expect(await reportBug(local, "user-4711", "Something else")).toContain("only with other arguments");
});
// #endregion
