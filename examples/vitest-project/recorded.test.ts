// Tests with a service's responses, which MSW keeps in issues.json. To record them again, set SVC_BASE_URL, SVC_API_KEY
// and RECORD=issues.json.
// #region recorded
import { readFileSync, writeFileSync } from "node:fs";
import { bypass, HttpResponse, http, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";
import { Svc } from "svc-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reportBug } from "./report-bug.js";

const { RECORD, SVC_BASE_URL = "https://api.example.com", SVC_API_KEY = "ak_replay" } = process.env;
const file = new URL(RECORD ?? "issues.json", import.meta.url);
const recorded: Record<string, { status: number; body: JsonBodyType }> = RECORD
  ? {}
  : JSON.parse(readFileSync(file, "utf8"));
const server = setupServer(
  http.all(`${SVC_BASE_URL}/*`, async ({ request }) => {
    const call = `${request.method} ${request.url.slice(SVC_BASE_URL.length)} ${await request.clone().text()}`;
    if (RECORD) {
      const response = await fetch(bypass(request));
      recorded[call] = { status: response.status, body: await response.json() };
    }
    const { status, body } = recorded[call] ?? { status: 501, body: `not recorded: ${call}` };
    return HttpResponse.json(body, { status });
  }),
);
beforeAll(() => server.listen());
afterAll(() => {
  server.close();
  if (RECORD) writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
});

const svc = new Svc({ baseUrl: SVC_BASE_URL, apiKey: SVC_API_KEY });

test("opens an issue, as the service did when it was recorded", async () => {
  expect(await reportBug(svc, "user-4711", "It broke")).toMatch(/\/issues\/\d+$/);
});

test("rejects a user without an account, as the service did", async () => {
  await expect(reportBug(svc, "ada", "It broke")).rejects.toMatchObject({ condition: "no_connected_account" });
});
// #endregion
