import { expect, test } from "vitest";
import { createReceiver } from "../../src/webhooks/index.js";
import { filesThatRun, STORY, storyOf } from "../support/story.js";
import { TRIGGER_V3 } from "./samples.js";
import { deliver, now, SECRET } from "./vectors.js";

test("the contributor guide names exactly the files that run when a webhook is received", async () => {
  const receiver = createReceiver({
    secret: SECRET,
    now,
    on: { "svc.trigger.message": () => undefined },
    onUnhandled: () => undefined,
  });
  let id = 0;
  const receive = () => receiver(deliver(TRIGGER_V3, { id: `msg_${id++}` }));
  const { files, sentences } = storyOf("How a webhook is received");
  expect(sentences).toBeLessThanOrEqual(12);
  const ran = (await filesThatRun(receive)).filter((file) => !file.startsWith("shared/"));
  expect([...new Set(files)].sort(), STORY).toEqual(ran);
});
