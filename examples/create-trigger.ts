// Finds out what a trigger needs, listens, and stops. Run it with: node examples/create-trigger.ts
// #region type
import { Svc } from "svc-sdk";

const svc = new Svc();

const type = await svc.triggers.getType("GITHUB_COMMIT_EVENT");
console.log(`${type.name} needs ${Object.keys(Object(type.config["properties"])).join(" and ")}`);
// #endregion

// #region upsert
const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
  connected_account_id: "ca_github_demo", // Or user_id, to use the user's first active account.
  trigger_config: { owner: "octo-org", repo: "hello-world" },
});
console.log(`${trigger_id} listens`);
// #endregion

// #region manage
await svc.triggers.disable(trigger_id);
for await (const { id, disabled_at } of svc.triggers.listActive({ show_disabled: true })) {
  console.log(`${id} ${disabled_at === null ? "listens" : "is disabled"}`);
}
await svc.triggers.delete(trigger_id);
// #endregion
