import { expect, test } from "vitest";
import { Svc } from "../../src/index.js";
import { filesThatRun, STORY, storyOf } from "../support/story.js";

test("the contributor guide names exactly the files that run during a call", async () => {
  const body = JSON.stringify({ data: {}, error: null, successful: true, log_id: "log_1" });
  const svc = new Svc({
    baseUrl: "https://api.example.com",
    apiKey: "ak",
    env: {},
    fetch: async () => new Response(body, { headers: { "content-type": "application/json" } }),
  });
  const { files } = storyOf("How a call works");
  expect(files.length).toBeLessThanOrEqual(13);
  const call = () => svc.tools.execute("A_TOOL", { user_id: "u", version: "20251023_00", arguments: {} });
  expect([...new Set(files)].sort(), STORY).toEqual(await filesThatRun(call));
});
