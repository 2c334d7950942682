// A web app whose users connect their GitHub accounts, open issues and see commits.
// In your own project: npm install svc-sdk hono @hono/node-server
// Set the variables that setup.ts prints, and run it with:
// node examples/web-app/server.ts
// #region server
import { serve } from "@hono/node-server";
import { app } from "./app.ts";

serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000) }, ({ port }) => {
  console.log(`Listening on http://localhost:${port}`);
});
// #endregion
