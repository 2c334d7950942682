// Where keys come from, who is calling, and what happens without the right one. Run it with: node examples/keys.ts
// #region environment
import { ConfigError, MissingCredentialError, Svc } from "svc-sdk";

const svc = new Svc(); // SVC_BASE_URL, SVC_API_KEY, SVC_USER_API_KEY, SVC_ORG_API_KEY: those that are set
const { org_member, project } = await svc.session.info();
console.log(`${org_member.name} in ${project?.name}`);
// #endregion

// #region options
const baseUrl = process.env["SVC_BASE_URL"];
const keyOfTenant = process.env["SVC_API_KEY"]; // From wherever you keep the keys of your tenants.
const tenant = new Svc({ baseUrl, apiKey: keyOfTenant, environment: {} }); // This key and no other.
console.log(`${(await tenant.toolkits.list()).total_items} toolkits`);
// #endregion

// #region missing
try {
  await tenant.projects.list(); // Takes the organization's key, which this client does not hold.
} catch (error) {
  if (!(error instanceof MissingCredentialError)) throw error;
  console.log(error.message);
}
// #endregion

// #region config
try {
  new Svc({ baseUrl: "http://api.example.com/api/v3", apiKey: "ak_…\nak_…", environment: {} });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.log(error.message); // Every problem at once, and no key among it.
}
// #endregion
