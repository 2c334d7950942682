// Calls a tool for each event, in a Worker. In your own project: npm install svc-sdk, copy this file, write SVC_BASE_URL,
// SVC_API_KEY and SVC_WEBHOOK_SECRET into .dev.vars, and run it with: npx wrangler dev tool-receiver.ts
// #region worker
import { mayHaveRun, Svc } from "svc-sdk";
import { createReceiver, type Receiver } from "svc-sdk/webhooks";

interface Environment {
  readonly SVC_BASE_URL: string;
  readonly SVC_API_KEY: string;
  readonly SVC_WEBHOOK_SECRET: string;
}

let receiver: Receiver | undefined; // One for all requests of the isolate.

const receiverOf = (env: Environment) =>
  createReceiver<{ GITHUB_COMMIT_EVENT: { message: string } }>({
    secret: env.SVC_WEBHOOK_SECRET,
    on: {
      GITHUB_COMMIT_EVENT: async ({ userId, payload }, { signal }) => {
        const svc = new Svc({ env }); // One per delivery: a Worker's I/O must not outlive its request.
        const message = { channel: "C024BE91L", text: `New commit: ${payload.message}` };
        const body = { user_id: userId ?? "", version: "20251001_01", arguments: message };
        try {
          await svc.tools.execute("SLACK_SEND_MESSAGE", body, { signal });
        } catch (error) {
          if (!mayHaveRun(error)) throw error; // 500: the service delivers the event again.
          console.error("Check whether the message was sent", error); // 200: a second run could send it twice.
        }
      },
    },
    onUnhandled: ({ type }) => console.log(`no handler for ${type}`),
  });

export default {
  fetch(request: Request, env: Environment): Promise<Response> {
    receiver ??= receiverOf(env);
    return receiver(request);
  },
};
// #endregion
