import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import { isLoopback } from "../../shared/environment.js";
import { type CheckResult, checked, codeOf, type Finding, type Setup, skipped } from "./finding.js";

/** Checks the certificate of an https service, and the variables that change how Node checks it. */
export async function checkTls(url: URL, setup: Setup): Promise<CheckResult> {
  if (url.protocol !== "https:") return skipped("TLS", "the base URL is http:");
  const extra = readExtraCertificates(setup);
  const findings = [...variableFindings(setup, extra), ...(await certificateFindings(url, setup, extra.text))];
  return checked("TLS", url.host, findings);
}

interface ExtraCertificates {
  readonly file: string | undefined;
  /** Undefined if there is no file, or it can't be read. */
  readonly text: string | undefined;
}

function readExtraCertificates({ environment }: Setup): ExtraCertificates {
  const file = environment["NODE_EXTRA_CA_CERTS"] || undefined;
  try {
    return { file, text: file && readFileSync(file, "utf8") };
  } catch {
    return { file, text: undefined };
  }
}

function variableFindings({ environment }: Setup, { file, text }: ExtraCertificates): Finding[] {
  const findings: Finding[] = [];
  if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    findings.push({
      id: "tls_checks_off",
      problem: "NODE_TLS_REJECT_UNAUTHORIZED=0 turns off all certificate checks.",
      why: "Anyone between this machine and the service can read the key.",
      fix: "unset NODE_TLS_REJECT_UNAUTHORIZED",
    });
  }
  if (file !== undefined && text === undefined) {
    findings.push({
      id: "extra_certificates_missing",
      problem: `NODE_EXTRA_CA_CERTS names ${file}, which can't be read.`,
      why: "Node only warns about it, then doesn't trust your organization's certificates.",
      fix: "export NODE_EXTRA_CA_CERTS=</path/to/certificates.pem>",
    });
  }
  return findings;
}

async function certificateFindings(url: URL, setup: Setup, extra: string | undefined): Promise<Finding[]> {
  const code = await handshake(url, setup.timeoutMs, extra);
  if (code === undefined) return [];
  const known = handshakeFinding(url, code);
  if (known) return [known];
  const problem = `The TLS handshake with ${url.host} fails (${code}).`;
  return [{ id: "tls_fails", problem, why: WHY, fix: inspection(url) }];
}

const WHY = "Node sends nothing to a server that can't show who it is.";

function inspection({ hostname, port }: URL): string {
  return `openssl s_client -connect ${hostname}:${port || 443} -servername ${hostname}`;
}

/** The finding for the code of a failed handshake; `undefined` if it isn't known as one. */
export function handshakeFinding(url: URL, code: string | undefined): Finding | undefined {
  const host = url.hostname;
  switch (code) {
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID": {
      const state = code === "CERT_HAS_EXPIRED" ? "has expired" : "isn't valid yet";
      const problem = `The certificate of ${host} ${state}, as this machine's clock sees it.`;
      return { id: "certificate_expired", problem, why: WHY, fix: `${inspection(url)} | openssl x509 -noout -dates` };
    }
    case "ERR_TLS_CERT_ALTNAME_INVALID": {
      const problem = `The certificate of ${host} is for another host name.`;
      return { id: "certificate_of_another_host", problem, why: WHY, fix: "export SVC_BASE_URL=<https://the-service>" };
    }
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY": {
      const problem = `Node doesn't trust the issuer of the certificate of ${host} (${code}).`;
      return {
        id: "certificate_untrusted",
        problem,
        why: WHY,
        fix: "export NODE_EXTRA_CA_CERTS=</path/to/issuer.pem>",
      };
    }
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
    case "EPROTO": {
      const problem = `${url.host} responds without TLS, but the base URL is https:.`;
      const fix = `export SVC_BASE_URL=${isLoopback(host) ? `http://${url.host}` : "<https://the-service>"}`;
      return { id: "not_tls", problem, why: "The handshake fails, so no request is sent.", fix };
    }
    default:
      return undefined;
  }
}

/** Why a handshake fails; `undefined` if it succeeds. */
function handshake(url: URL, timeoutMs: number, extra: string | undefined): Promise<string | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // Always checked, whatever the environment says about it.
  const trust = { rejectUnauthorized: true, ...(extra !== undefined && { ca: [...trusted(), extra] }) };
  // A server name must not be an IP address.
  const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  return new Promise((resolve) => {
    const socket = tls.connect({ host, port: Number(url.port) || 443, ...name, ...trust });
    const end = (outcome: string | undefined) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.setTimeout(timeoutMs, () => end("ETIMEDOUT"));
    socket.once("secureConnect", () => end(undefined));
    socket.once("error", (error) => end(codeOf(error) ?? error.message));
  });
}

const OWN_CERTIFICATES = tls.rootCertificates;

/**
 * The certificates that Node trusts, those of the system included if it was told so. Before Node 22.15, only its own.
 */
function trusted(): readonly string[] {
  return "getCACertificates" in tls ? tls.getCACertificates("default") : OWN_CERTIFICATES;
}
