// Runs a bundled script of scenarios in a Worker, without Node compatibility. Usage: workerd.mjs <script> <connection
// as JSON>
import { readFileSync } from "node:fs";
import { Miniflare } from "miniflare";

const [script, connection] = process.argv.slice(2);
const worker = `
  import { run } from "./scenarios.mjs";
  export default { fetch: async (_request, { connection }) => Response.json(await run(connection)) };
`;
const miniflare = new Miniflare({
  compatibilityDate: "2026-01-01",
  // The contents themselves: workerd reads no file outside of its working directory.
  modules: [
    { type: "ESModule", path: "worker.mjs", contents: worker },
    { type: "ESModule", path: "scenarios.mjs", contents: readFileSync(script, "utf8") },
  ],
  bindings: { connection: JSON.parse(connection) },
});
try {
  const response = await miniflare.dispatchFetch("http://worker.example/");
  console.log(await response.text());
} finally {
  await miniflare.dispose();
}
