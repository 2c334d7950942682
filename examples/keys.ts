// Where keys come from, who is calling, and what happens without the right one. Run it with: node examples/keys.ts
// #region environment
import { ConfigError, MissingCredentialError, Svc } from "svc-sdk";

const svc = new Svc(); // Reads SVC_BASE_URL, SVC_API_KEY, SVC_USER_API_KEY and SVC_ORG_API_KEY.
console.log(`${(await svc.toolkits.list()).total_items} toolkits`); // 6 toolkits
// #endregion

// Takes a user or organization key.
const { org_member, project } = await svc.session.info();
console.log(`${org_member.name} in ${project?.name}`); // Developer in emulator

// #region options
const baseUrl = process.env["SVC_BASE_URL"];
const keyOfTenant = process.env["SVC_API_KEY"]; // From wherever you store your tenants' keys.
const tenant = new Svc({ baseUrl, apiKey: keyOfTenant, env: {} }); // Uses only this key.
// #endregion

// #region missing
try {
  await tenant.projects.list(); // Takes the organization key, which this client doesn't have.
} catch (error) {
  if (!(error instanceof MissingCredentialError)) throw error;
  console.log(error.message);
  // projects.list needs a credential. Set new Svc({ orgApiKey }) or SVC_ORG_API_KEY (sent as x-org-api-key).
}
// #endregion

// #region config
try {
  new Svc({ baseUrl: "http://api.example.com/api/v3", apiKey: "ak_…\nak_…", env: {} });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.log(error.message); // Lists every problem, and contains no key.
}
// #endregion
