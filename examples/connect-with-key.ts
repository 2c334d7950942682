// Connects an account from a key that the user gave you. Run it with: node examples/connect-with-key.ts
// #region fields
import { Svc } from "svc-sdk";

const svc = new Svc();

const { auth_config_details } = await svc.toolkits.get("weathermap");
for (const { mode, fields } of auth_config_details ?? []) {
  console.log(`${mode} takes ${fields.connected_account_initiation.required.map(({ name }) => name).join()}`);
}
// #endregion

// #region create
const keyOfTheUser = "weather-key-of-ada";
const { auth_config } = await svc.authConfigs.create({
  toolkit: { slug: "weathermap" },
  auth_config: { type: "use_custom_auth", authScheme: "API_KEY", name: "Weather, with the user's key" },
});
const account = await svc.connectedAccounts.create({
  auth_config: { id: auth_config.id },
  connection: {
    user_id: "ada",
    state: { authScheme: "API_KEY", val: { status: "ACTIVE", generic_api_key: keyOfTheUser } },
  },
});
console.log(`${account.id} is ${account.connectionData.val.status}`); // ca_… is ACTIVE
// #endregion

// #region replace
await svc.connectedAccounts.update(account.id, {
  connection: { state: { authScheme: "API_KEY", val: { generic_api_key: "a-new-key" } } },
});
// #endregion

// #region list
for await (const { id, status, toolkit } of svc.connectedAccounts.list({ user_ids: ["ada"] })) {
  console.log(id, toolkit.slug, status); // ca_… weathermap ACTIVE
}
// #endregion

// #region whole-list
const everyone = await svc.connectedAccounts.list({ account_type: "ALL", limit: 500 }).toArray({ max: 100_000 });
console.log(`${everyone.length} accounts, each once`);
// #endregion
