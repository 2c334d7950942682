// An auth config with your own OAuth app. Run it with: node examples/own-oauth-client.ts
// #region create
import { Svc } from "svc-sdk";

const svc = new Svc();
const client_secret = process.env["GITHUB_CLIENT_SECRET"] ?? "secret-of-acme";

const own = await svc.authConfigs.ensure({
  toolkit: { slug: "github" },
  auth_config: {
    type: "use_custom_auth",
    authScheme: "OAUTH2",
    credentials: { client_id: "acme", client_secret },
  },
});
// #endregion
console.log(`${own.auth_scheme}, managed: ${own.is_svc_managed}`);
