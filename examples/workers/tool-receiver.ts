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
      GITHUB_COMMIT_EVENT: async ({ id, userId, payload }) => {
        // One per delivery: a Worker's I/O must not outlive its request. Its deadlines end before the handler's 9 s.
        const svc = new Svc({ env, deadlineMs: 2_000 });
        const message = { channel: "C0001", text: `New commit: ${payload.message} (${id})` };
        const body = { user_id: userId ?? "", version: "20251001_01", arguments: message };
        try {
          const run = await svc.tools.execute("SLACK_SEND_MESSAGE", body);
          if (!run.successful) console.error(`${id} wasn't sent: ${run.error}`); // 200: it would fail again.
        } catch (error) {
          if (!mayHaveRun(error)) throw error; // 500: the service delivers the event again.
          // Your promises: only this message has the event's id, and a call is in the log within 3 s of its start.
          const { outcome } = await svc.tools.settle(error, {
            exclusive: true,
            loggedWithinMs: 3_000,
            deadlineMs: 5_000,
          });
          if (outcome === "not_run") throw error; // 500
          if (outcome === "unknown") console.error(`Check whether ${id} was sent`, error); // 200
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
