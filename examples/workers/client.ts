// Calls the service from a Worker: keys come from its bindings, since there is no process. In your own project:
// npm install svc-sdk, copy this file, write SVC_BASE_URL and SVC_API_KEY into .dev.vars, and run it with:
// npx wrangler dev client.ts
// #region worker
import { Svc } from "svc-sdk";

interface Environment {
  /** `new Svc` reads its variables by name. Set the key with: wrangler secret put SVC_API_KEY */
  readonly SVC_BASE_URL: string;
  readonly SVC_API_KEY: string;
}

export default {
  async fetch(_request: Request, env: Environment): Promise<Response> {
    // Created per request, because a Worker's I/O must not outlive its request.
    const svc = new Svc({ env, deadlineMs: 10_000 });
    const { items } = await svc.toolkits.list();
    return Response.json(items.map(({ slug }) => slug));
  },
};
// #endregion
