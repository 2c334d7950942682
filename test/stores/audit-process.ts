// Makes calls whose effects are lines of a file, with a log in another file, until it is killed.
import { appendFileSync } from "node:fs";
import { tool, toolset } from "../../src/agents/index.js";
import { audit } from "../../src/agents/policy-entry.js";
import { Svc } from "../../src/index.js";
import { fileAudit } from "../../src/stores/index.js";

const { LOG = "", EFFECTS = "", SECRET = "", NAME = "" } = process.env;
const svc = new Svc({ baseUrl: "http://127.0.0.1:1", apiKey: "key", env: {} });
const pay = tool({
  name: "pay",
  description: "Pays.",
  parameters: { type: "object" },
  execute: (_, { callId }) => {
    appendFileSync(EFFECTS, `${callId}\n`);
    return "paid";
  },
});
const record = audit({ keys: [{ id: "key", secret: SECRET }], to: fileAudit(LOG, { maxBytes: 20_000 }) });
const tools = await toolset(svc, { userId: "user-1", tools: [pay], audit: record });
for (let number = 1; ; number += 1) {
  const turn = [1, 2, 3].map((part) => ({ callId: `${NAME}.${number}.${part}`, name: "pay", arguments: {} }));
  await tools.run(turn);
  process.send?.(number);
}
