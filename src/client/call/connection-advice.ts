import type { FetchProxy } from "../../shared/environment.js";
import { type AttemptFailure, isCertificateCode, REFUSED, UNRESOLVED } from "../attempt-failure.js";

/** Advice about a connection that failed, as the end of a message; otherwise an empty string. */
export function connectionAdvice(
  { phase, rejected }: AttemptFailure,
  code = "",
  { protocol, port }: URL,
  proxy: FetchProxy | undefined,
): string {
  if (rejected === "port") return ` fetch blocks port ${port}. Choose another one, and change baseUrl.`;
  if (rejected) {
    return " The client's fetch can't read a Request of this runtime. Omit the option fetch, or pass undiciFetch() from svc-sdk/undici.";
  }
  if (/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code)) {
    return " The dispatcher's headersTimeout or bodyTimeout ended it. Set both to 0: timeoutMs of the client limits each attempt.";
  }
  const isRefused = REFUSED.test(code);
  const isUnresolved = UNRESOLVED.test(code);
  if ((isRefused || isUnresolved) && proxy) {
    return ` ${proxy.variable} sends requests through the proxy ${proxy.host}. Check the proxy, or add the service to NO_PROXY.`;
  }
  if (isRefused) return " Is the service running there? Check baseUrl.";
  if (isUnresolved) return " The host name couldn't be resolved. Check baseUrl.";
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER") return " Does baseUrl use https, but the service http?";
  // A TLS port closes a connection over plain http, or answers with bytes that aren't http.
  const isCut = phase === "headers" && /^(UND_ERR_SOCKET|ECONNRESET|HPE_\w+)$/.test(code);
  if (isCut && protocol === "http:") return " If the service uses TLS on this port, baseUrl must start with https:.";
  if (!isCertificateCode(code)) return "";
  if (code === "CERT_HAS_EXPIRED") return " The service's certificate has expired, by this machine's clock.";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return " The service's certificate is for another host. Check baseUrl.";
  return " The service's certificate isn't trusted here. If your organization issued it, set NODE_EXTRA_CA_CERTS to the issuer's PEM file and restart.";
}
