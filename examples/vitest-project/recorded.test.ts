// Tests with a service's responses, which MSW keeps in issues.json. To record them again, set SVC_BASE_URL, SVC_API_KEY
// and RECORD=issues.json.
// #region recorded
import { readFileSync, writeFileSync } from "node:fs";
import { bypass, HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { Svc } from "svc-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reportBug } from "./report-bug.js";

const { RECORD, SVC_BASE_URL = "https://api.example.com", SVC_API_KEY = "ak_replay" } = process.env;
const file = new URL(RECORD ?? "issues.json", import.meta.url);
const bodies: Record<string, Record<string, unknown>> = RECORD ? {} : JSON.parse(readFileSync(file, "utf8"));
const server = setupServer(
  http.all(`${SVC_BASE_URL}/*`, async ({ request }) => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    if (RECORD) bodies[call] = await (await fetch(bypass(request))).json();
    return HttpResponse.json(bodies[call]);
  }),
);
beforeAll(() => server.listen());
afterAll(() => {
  server.close();
  if (RECORD) writeFileSync(file, `${JSON.stringify(bodies, null, 2)}\n`);
});

test("opens an issue, as the service did when it was recorded", async () => {
  const svc = new Svc({ baseUrl: SVC_BASE_URL, apiKey: SVC_API_KEY });
  expect(await reportBug(svc, "user-4711", "It broke")).toMatch(/\/issues\/1$/);
});
// #endregion
