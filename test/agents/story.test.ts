import { expect, test } from "vitest";
import { type ToolClient, toolset } from "../../src/agents/index.js";
import { filesThatRun, STORY, storyOf } from "../support/story.js";
import { bench, CREATE_ISSUE, ISSUE, USER } from "./support.js";

test("the contributor guide names exactly the files that run during a toolset's call", async () => {
  const { svc } = await bench();
  // Without the client's own files.
  const page = await svc.tools.list({ tool_slugs: CREATE_ISSUE });
  const result = { data: { number: 17 }, error: null, successful: true, session_info: null, log_id: "log_1" };
  const client = {
    tools: {
      list: async function* () {
        yield* page.items;
      },
      execute: async () => result,
    },
  };
  // A client has more fields than a toolset uses.
  const tools = await toolset(client as unknown as ToolClient, {
    userId: USER,
    tools: [CREATE_ISSUE],
    accounts: { github: "ca_1" },
  });
  let count = 0;
  const call = () => tools.run([{ callId: `call_${count++}`, name: CREATE_ISSUE, arguments: ISSUE }]);
  const { files, sentences } = storyOf("How a toolset's call works");
  expect(sentences).toBeLessThanOrEqual(12);
  const ran = (await filesThatRun(call)).filter((file) => !file.startsWith("shared/"));
  expect([...new Set(files)].sort(), STORY).toEqual(ran);
});

test("the methods of a toolset work without it", async () => {
  const { tools } = await bench();
  const { run, toJSON } = tools;
  const call = { callId: "1", name: CREATE_ISSUE, arguments: ISSUE };
  expect(await run([call])).toMatchObject([{ status: "succeeded" }]);
  expect(toJSON()).toEqual(tools.toJSON());
});
