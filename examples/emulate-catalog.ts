// Runs the tools of a catalog, which svc-sdk lock --catalog-out writes, with made-up results. Run it with:
// node examples/emulate-catalog.ts
// #region catalog
import { Svc } from "svc-sdk";
import { createEmulator, fromCatalog, sampleObjectOf } from "svc-sdk/emulator";
import catalog from "./catalog.json" with { type: "json" };

const emulator = createEmulator(
  fromCatalog(catalog, {
    tools: { TRACKER_CLOSE_TICKET: ({ arguments: { id } }) => ({ id, state: "closed" }) },
  }),
);
const svc = new Svc(emulator.connection);
const run = (slug: string, args: Record<string, unknown>) =>
  svc.tools.execute(slug, { user_id: "user-4711", version: "20260101_00", arguments: args });

const opened = await run("TRACKER_OPEN_TICKET", { title: "It broke" });
console.log(opened.data, opened.log_id?.startsWith("log_sample_"));
// { id: 't_3', state: 'open', opened_by: 'sample.1201@example.com' } true
console.log((await run("TRACKER_OPEN_TICKET", {})).error);
// Invalid request data provided: following fields are missing: title
console.log((await run("TRACKER_CLOSE_TICKET", { id: "t_1" })).data); // { id: 't_1', state: 'closed' }
// #endregion

// #region trigger
const { trigger_id } = await svc.triggers.upsert("TRACKER_TICKET_CLOSED", {
  connected_account_id: "ca_tracker_demo",
  trigger_config: {},
});
const type = await svc.triggers.getType("TRACKER_TICKET_CLOSED");
const event = emulator.triggers.fire(trigger_id, sampleObjectOf(type.payload, { seed: 1 }));
console.log(event.type, event.data); // svc.trigger.message { id: 'sample_92674944' }
// #endregion
