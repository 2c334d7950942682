// Two auth configs for one toolkit. Run it with: node examples/own-oauth-client.ts
// #region create
import { Svc } from "svc-sdk";

const svc = new Svc();
const client_secret = process.env["GITHUB_CLIENT_SECRET"] ?? "secret-of-acme";

// Through the service's own OAuth client.
const managed = await svc.authConfigs.create({ toolkit: { slug: "github" } });
const own = await svc.authConfigs.create({
  toolkit: { slug: "github" },
  auth_config: {
    type: "use_custom_auth",
    authScheme: "OAUTH2",
    credentials: { client_id: "acme", client_secret },
  },
});
// #endregion
for (const { auth_config } of [managed, own]) {
  console.log(`${auth_config.auth_scheme}, managed: ${auth_config.is_svc_managed}`);
}
