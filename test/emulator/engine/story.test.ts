import { expect, test } from "vitest";
import { createEmulator } from "../../../src/emulator/index.js";
import { filesThatRun, STORY, storyOf } from "../../support/story.js";

test("the contributor guide names exactly the files that run while the emulator serves a request", async () => {
  const emulator = createEmulator();
  const headers = { "x-api-key": String(emulator.connection.apiKey) };
  const url = `${emulator.connection.baseUrl}/api/v3.1/tools/GITHUB_CREATE_AN_ISSUE`;
  const get = async () => expect((await emulator.fetch(new Request(url, { headers }))).status).toBe(200);
  const { files, sentences } = storyOf("How the emulator serves a request");
  expect(sentences).toBeLessThanOrEqual(12);
  const ran = (await filesThatRun(get)).filter((file) => !file.startsWith("shared/"));
  expect([...new Set(files)].sort(), STORY).toEqual(ran);
});
