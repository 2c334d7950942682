// Sends through undici, which is faster than Node's fetch. Run it with: node examples/faster-on-node.ts
// #region client
import { Svc } from "svc-sdk";
import { undiciFetch } from "svc-sdk/undici";

const svc = new Svc({ fetch: undiciFetch() });
const { items } = await svc.toolkits.list();
console.log(`${items.length} toolkits`);
// #endregion
