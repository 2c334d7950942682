import { Svc } from "../../index.js";
import { isLoopback } from "../../shared/environment.js";
import { type CheckResult, checked, type Finding, messageOf, type Setup } from "./finding.js";

/** Checks `SVC_BASE_URL` with the client's own rules. The URL is `undefined` if the client wouldn't accept it. */
export function checkBaseUrl({ environment }: Setup): { readonly result: CheckResult; readonly url: URL | undefined } {
  const { SVC_BASE_URL: value = "", SVC_ALLOW_INSECURE_HTTP } = environment;
  const problem = problemWith({ SVC_BASE_URL: value, SVC_ALLOW_INSECURE_HTTP });
  if (problem === undefined) {
    const url = new URL(value.trim());
    return { result: checked("base URL", url.origin + url.pathname.replace(/\/$/, "")), url };
  }
  const isMissing = value.trim() === "";
  const finding: Finding = {
    id: isMissing ? "base_url_missing" : "base_url_invalid",
    problem,
    why: "The client can't be created without a valid base URL.",
    fix: `export SVC_BASE_URL=${corrected(value) ?? "<https://the-service>"}`,
  };
  return { result: checked("base URL", isMissing ? "not set" : "invalid", [finding]), url: undefined };
}

function problemWith(environment: object): string | undefined {
  try {
    // With its own fetch, the client leaves proxies to us.
    new Svc({ env: environment, fetch: (request) => fetch(request) });
    return undefined;
  } catch (error) {
    return messageOf(error).replace(/^new Svc\(\): /, "");
  }
}

/** The URL that was probably meant: with a scheme, and without a password, a query and the API prefix. */
function corrected(value: string): string | undefined {
  const [, scheme = "", rest = ""] = /^(?:["'\s]*)(?:(\w+):\/\/)?(.*?)["'\s]*$/.exec(value) ?? [];
  if (!URL.canParse(`https://${rest}`)) return undefined;
  const url = new URL(`https://${rest}`);
  const protocol = isLoopback(url.hostname) && scheme !== "https" ? "http:" : "https:";
  return `${protocol}//${url.host}${url.pathname.replace(/\/+(?:api(?:\/v[\d.]+)?\/*)?$/, "")}`;
}
