import { ConfigError } from "../errors/local.js";
import { isLoopback } from "../shared/environment.js";
import { ApiFailure } from "./engine/responses.js";

/** The parts of Node's `IncomingMessage` that name the host a request is for and the page that sent it. */
interface Caller {
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, repeated headers included. */
  readonly rawHeaders: readonly string[];
}

/**
 * Checks that requests are meant for this emulator.
 *
 * A browser can be made to send requests here under a foreign name (DNS rebinding) or from a foreign page. Without this
 * check, such a page could use the well-known demo keys. Assumption E98.
 *
 * @param boundTo IP or host name the server listens on.
 * @param allowedHosts host names to allow in addition to loopback names.
 * @throws {ConfigError} for an empty `boundTo`, or an invalid host name.
 */
export function hostCheck(boundTo: string, allowedHosts: readonly string[]) {
  // Node listens on every interface for an empty host.
  if (boundTo === "") {
    throw new ConfigError("The emulator's host is empty. Use an IP address or host name, such as 127.0.0.1.");
  }
  const own = hostName(boundTo.includes(":") ? `[${boundTo}]` : boundTo);
  const allowed = new Set([own, ...allowedHosts.map(checkedName)]);
  const isKnown = (name: string) => isLoopback(name) || allowed.has(name);
  // Rebinding needs a name. Behind a published port, the machine's own IPs aren't known here.
  const isAllowedHost = own !== undefined && isLoopback(own) ? isKnown : (name: string) => isKnown(name) || isIp(name);
  return {
    /**
     * Passes requests to allowed hosts that no foreign web page sent.
     *
     * @throws {ApiFailure} 400 if the host is missing, repeated, or malformed; 403 if it isn't allowed, or another site
     * sent it.
     */
    check: (caller: Caller) => {
      const hosts = hostsOf(caller);
      const foreign = hosts.find((name) => !isAllowedHost(name));
      if (foreign !== undefined) throw notAllowed(`The emulator doesn't respond to requests for ${foreign}`, foreign);
      if (!isFromOwnPage(caller, (name) => isKnown(name) || hosts.includes(name))) {
        throw notAllowed("The emulator doesn't respond to web pages of other sites", "the page's host");
      }
    },

    /**
     * Whether a request names only loopback hosts, including the page that sent it, and no proxy forwarded it for
     * another machine.
     */
    isLocal: (caller: Caller) =>
      hostsOf(caller).every(isLoopback) && isFromOwnPage(caller, isLoopback) && !isForwarded(caller),
  };
}

/** Every host a request names: in `Host`, and in a target in absolute form, which takes precedence in HTTP. */
function hostsOf({ url: target = "", rawHeaders }: Caller): string[] {
  const sent = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "host");
  if (sent.length !== 1) throw malformed("exactly one Host header");
  const authorities = target.startsWith("/") ? sent : [...sent, /^http:\/\/([^/?#]*)/.exec(target)?.[1] ?? ""];
  return authorities.map((authority) => {
    const name = hostName(authority);
    if (name === undefined) throw malformed("a host name, with an optional port, in Host and target");
    return name;
  });
}

function isFromOwnPage({ headers }: Caller, isOwn: (name: string) => boolean): boolean {
  const { origin } = headers;
  if (origin === undefined) return true;
  const name = hostName(/^https?:\/\/(.*)$/.exec(String(origin))?.[1] ?? "");
  return name !== undefined && isOwn(name);
}

/**
 * Whether a proxy says that a request came from another machine. A tunnel connects from this one, and may rewrite
 * `Host`.
 */
function isForwarded({ headers }: Caller): boolean {
  const sent = ["x-forwarded-for", "x-forwarded-host", "x-real-ip"].flatMap((name) => headers[name] ?? []);
  const names = sent.flatMap((value) => value.split(",")).map((name) => name.trim().replace(/^::ffff:/i, ""));
  const isLocal = (name: string) => isLoopback(hostName(/^[\da-f]*:.*:/i.test(name) ? `[${name}]` : name) ?? "");
  return headers["forwarded"] !== undefined || !names.every(isLocal);
}

/** The host of an authority as URLs write it, without a trailing period; `undefined` if it isn't an authority. */
function hostName(authority: string): string | undefined {
  if (!/^(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?$/i.test(authority) || !URL.canParse(`http://${authority}`)) return undefined;
  return new URL(`http://${authority}`).hostname.replace(/\.$/, "");
}

function isIp(name: string): boolean {
  return /^(\d+\.){3}\d+$|^\[/.test(name);
}

function checkedName(name: string): string {
  const checked = /:\d+$/.test(name.replace(/^\[.*\]$/, "")) ? undefined : hostName(name);
  if (checked !== undefined) return checked;
  throw new ConfigError(
    `The emulator's allowedHosts takes host names without scheme and port, such as emulator.test, not ${JSON.stringify(name)}.`,
  );
}

function malformed(expected: string): ApiFailure {
  return new ApiFailure(400, 10400, "HTTP_BadRequest", `Expected ${expected}`);
}

function notAllowed(message: string, host: string): ApiFailure {
  const suggestedFix = `Use localhost, or allow ${host} with allowedHosts (svc-sdk emulator --allowed-host)`;
  return new ApiFailure(403, 10403, "Emulator_HostNotAllowed", message, suggestedFix);
}
