import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP } from "node:net";
import { isLoopback } from "../../shared/environment.js";
import { type CheckResult, checked, codeOf, type Finding, type Setup, skipped } from "./finding.js";
import { ignoredProxyFinding, proxyFindings, proxyFor } from "./proxy.js";
import { checkTls } from "./tls.js";

/** Checks the way to the service: name, proxy, port, certificate. Stops at the first obstacle. */
export async function checkNetwork(url: URL, setup: Setup): Promise<CheckResult[]> {
  const proxy = proxyFor(url, setup);
  if (proxy?.isUsed) {
    const findings = await proxyFindings(url, proxy, setup);
    const reason = "the proxy does this";
    return [skipped("DNS", reason), checked("proxy", proxy.variable, findings), skipped("TLS", reason)];
  }
  const dns = await dnsFindings(url);
  const connection = dns.length > 0 ? [] : await connectionFindings(url, setup);
  const detail = proxy ? `${proxy.variable} is set, Node doesn't use it` : "none";
  if (proxy && dns.length + connection.length > 0) {
    const proxyCheck = checked("proxy", detail, [ignoredProxyFinding(proxy)]);
    return [skipped("DNS", "see proxy"), proxyCheck, skipped("TLS", "see proxy")];
  }
  const reached = [checked("DNS", url.hostname, dns), checked("proxy", detail)];
  if (dns.length > 0) return [...reached, skipped("TLS", "the host isn't known")];
  if (connection.length > 0) return [...reached, checked("connection", url.host, connection)];
  return [...reached, checked("connection", url.host), await checkTls(url, setup)];
}

async function dnsFindings({ hostname }: URL): Promise<Finding[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return [];
  try {
    await lookup(host);
    return [];
  } catch (error) {
    const code = codeOf(error) ?? "no result";
    return [
      {
        id: "host_unknown",
        problem: `The host name ${host} can't be resolved (${code}).`,
        why: "No request can be sent. The name is misspelled, or this machine has no working DNS server.",
        fix: "export SVC_BASE_URL=<https://the-service>",
      },
    ];
  }
}

async function connectionFindings(url: URL, { timeoutMs }: Setup): Promise<Finding[]> {
  const code = await connectTo(url, timeoutMs);
  if (code === undefined) return [];
  const isHere = isLoopback(url.hostname);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return [
    {
      id: code === "ECONNREFUSED" ? "nothing_listens" : "host_unreachable",
      problem: `${url.host} accepts no connection (${code}).`,
      why: isHere
        ? "No service or emulator is running there."
        : "The port is wrong, the service is down, or a firewall is in the way.",
      fix: isHere ? `npx svc-sdk emulator --port ${port}` : "export SVC_BASE_URL=<https://the-service>",
    },
  ];
}

/** Why a connection fails; `undefined` if it succeeds. */
function connectTo({ hostname, port, protocol }: URL, timeoutMs: number): Promise<string | undefined> {
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port: Number(port) || (protocol === "https:" ? 443 : 80) });
    const end = (outcome: string | undefined) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.setTimeout(timeoutMs, () => end("ETIMEDOUT"));
    socket.once("connect", () => end(undefined));
    socket.once("error", (error) => end(codeOf(error) ?? error.message));
  });
}
