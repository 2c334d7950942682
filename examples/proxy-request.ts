// Calls a provider's API if no tool does what you need. Run it with: node examples/proxy-request.ts
// #region proxy
import { Svc } from "svc-sdk";

const svc = new Svc();

const { status, data } = await svc.tools.proxy({
  connected_account_id: "ca_weather_demo", // Its credentials are added by the service; you never see them.
  method: "GET",
  endpoint: "/weather?city=Berlin",
});
console.log(status, data); // 200 { celsius: 29, sky: 'clear' }
// #endregion
