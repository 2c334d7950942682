import { describe, expect, test } from "vitest";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { mismatchesOfJsonSchema } from "../../../src/json-schema/check/check-json-schema.js";
import { all } from "../fronts.js";

const REPOSITORY = { owner: "octo-org", repo: "hello-world" };

/** Arguments with which each built-in tool succeeds after those of `FIRST`. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  GITHUB_CREATE_AN_ISSUE: { ...REPOSITORY, title: "It broke" },
  GITHUB_GET_AN_ISSUE: { ...REPOSITORY, issue_number: 1 },
  GITHUB_LIST_REPOSITORY_ISSUES: REPOSITORY,
  GITHUB_STAR_A_REPOSITORY: REPOSITORY,
  SLACK_SEND_MESSAGE: { channel: "general", text: "Hello" },
  SLACK_LIST_CHANNELS: {},
  SLACK_FETCH_CONVERSATION_HISTORY: { channel: "#general" },
  WEATHERMAP_WEATHER: { city: "Oslo" },
  WEATHERMAP_FORECAST: { city: "Oslo", days: 2 },
  TEXTKIT_COUNT_WORDS: { text: "one two" },
  TEXTKIT_REVERSE: { text: "abc" },
  CALENDAR_CREATE_EVENT: { title: "Lunch", starts_at: "2026-01-02T12:00:00Z" },
  CALENDAR_LIST_EVENTS: {},
  CALENDAR_DELETE_EVENT: { id: "event-1" },
};

/** Tools whose results other tools read. */
const FIRST = ["GITHUB_CREATE_AN_ISSUE", "SLACK_SEND_MESSAGE", "CALENDAR_CREATE_EVENT"];

const client = (emulator = createEmulator()) => new Svc(emulator.connection);

describe("a built-in tool", () => {
  test("is tested here, unless it always fails or takes a file", async () => {
    const others = ["GITHUB_GET_A_REPOSITORY_ARCHIVE", "DRIVE_UPLOAD_FILE", "DRIVE_DOWNLOAD_FILE", "DRIVE_LIST_FILES"];
    const slugs = await client().tools.listSlugs();
    expect([...Object.keys(ARGUMENTS), ...others].toSorted()).toEqual(slugs.toSorted());
  });

  test("returns what its output schema describes, in each of its versions", async () => {
    const problems: string[] = [];
    for (const { slug, available_versions } of await all(client().tools.list())) {
      if (!(slug in ARGUMENTS)) continue;
      for (const version of available_versions) {
        const svc = client();
        for (const first of FIRST) await run(svc, first, "latest");
        const { data, error } = await run(svc, slug, version);
        const { output_parameters } = await svc.tools.get(slug, { version });
        const found = mismatchesOfJsonSchema(output_parameters, data).map(({ path }) => path);
        if (error !== null || found.length > 0) problems.push(`${slug} ${version}: ${error ?? found.join()}`);
      }
    }
    expect(problems).toEqual([]);
  });

  test("of Slack names a message by whole seconds, even if the time isn't whole", async () => {
    const emulator = createEmulator();
    emulator.clock.advance("1.5s");
    const { data } = await run(client(emulator), "SLACK_SEND_MESSAGE", "latest");
    expect(data["ts"]).toBe("1767225601.000000");
  });

  test("of GitHub finds a repository in any case, and so does a proxied request", async () => {
    const svc = client();
    const found = await run(svc, "GITHUB_LIST_REPOSITORY_ISSUES", "latest", { owner: "Octo-Org", repo: "HELLO-world" });
    expect(found.error).toBeNull();
    const proxied = await svc.tools.proxy({
      connected_account_id: "ca_github_demo",
      endpoint: "/repos/Octo-Org/HELLO-world",
      method: "GET",
    });
    expect(proxied).toMatchObject({ status: 200, data: { full_name: "octo-org/hello-world" } });
  });
});

function run(svc: Svc, slug: string, version: string, given = ARGUMENTS[slug] ?? {}) {
  return svc.tools.execute(slug, { user_id: "user-4711", version, arguments: { ...given } });
}
