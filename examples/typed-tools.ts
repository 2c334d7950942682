// Tools and triggers with generated types, from svc.gen.ts. Run it with: node examples/typed-tools.ts
// That file was written by: npx svc-sdk generate --toolkits github,slack --out svc.gen.ts
// #region execute
// npm install svc-sdk, save this as typed.mts, then: node typed.mts
import { Svc, toolLock } from "svc-sdk";
import { createReceiver } from "svc-sdk/webhooks";
import { tools } from "./svc.gen.ts";
import lock from "./svc.lock.json" with { type: "json" };

const svc = new Svc({ use: [toolLock(lock)] }); // The types were written for the locked versions.
const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
  user_id: "user-4711",
  arguments: { owner: "octo-org", repo: "hello-world", title: "Typo", labels: ["docs"] }, // A wrong name doesn't compile.
});
if (run.successful) console.log(`#${run.data.number} is ${run.data.state}: ${run.data.html_url}`);
// #1 is open: https://github.example.com/octo-org/hello-world/issues/1

const sent = await svc.tools.execute(tools.SLACK_SEND_MESSAGE, {
  user_id: "user-4711",
  arguments: { channel: "general", text: "Hello!" },
});
console.log(`sent: ${sent.successful}`); // sent: true
// #endregion

// #region receive
export const receive = createReceiver({
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  on: {
    GITHUB_COMMIT_EVENT: ({ payload }) => console.log(`${payload.author}: ${payload.message}`),
  },
  onUnhandled: (delivery) => console.log(`not handled: ${delivery.type}`),
});
// #endregion
