// Sends through a proxy, and with a client certificate. Run it with: node examples/own-dispatcher.ts
// #region dispatchers
import { Svc } from "svc-sdk";
import { undiciFetch } from "svc-sdk/undici";
import { Agent, ProxyAgent } from "undici";

// Through a proxy. Credentials of the proxy go into its URL.
const proxied = new Svc({ fetch: undiciFetch(new ProxyAgent("http://proxy.example:3128")) });

// With a client certificate, and at most 20 connections.
const { CLIENT_CERT: cert, CLIENT_KEY: key } = process.env;
const agent = new Agent({ connections: 20, connect: { ...(cert && key && { cert, key }) } });
const known = new Svc({ fetch: undiciFetch(agent) });
// #endregion

const { items } = await known.toolkits.list();
console.log(`${items.length} toolkits`, proxied instanceof Svc);
