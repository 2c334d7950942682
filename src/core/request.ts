import { describeMismatches, MissingCredentialError, ValidationError } from "../errors/local.js";
import { CREDENTIALS, type CredentialKind } from "./credentials.js";
import type { AnyEndpoint, AnyInput } from "./endpoint.js";
import type { RequestOptions, Settings } from "./options.js";
import { lowerCased } from "./settings.js";
import type { PreparedRequest } from "./transport.js";
import { addressOf } from "./url.js";

/**
 * Builds a call's request, once for all its attempts. Whatever is wrong with the arguments comes out here: nothing was
 * sent.
 *
 * @param input - With its tool version.
 * @throws {MissingCredentialError} when the client holds no credential that the endpoint accepts.
 * @throws {ValidationError} for an argument, a header or an option of the call.
 */
export function prepareRequest(
  endpoint: AnyEndpoint,
  input: AnyInput,
  options: RequestOptions,
  settings: Settings,
): PreparedRequest {
  checkAgainstContract(endpoint.name, input, settings);
  const body = input.body === undefined ? undefined : encodeBody(endpoint.name, input.body);
  const headers = { ...settings.headers, ...(options.headers && lowerCased(options.headers)) };
  if (body !== undefined) headers["content-type"] = "application/json";
  const kind = credentialKind(endpoint, settings);
  if (kind) headers[CREDENTIALS[kind].header] = CREDENTIALS[kind].prefix + settings.credentials.get(kind);
  const path = endpoint.path.replaceAll("{apiVersion}", settings.apiVersion);
  return {
    method: endpoint.method,
    url: settings.baseUrl + addressOf(endpoint.name, path, input),
    headers,
    body,
    origin: settings.origin,
    path,
    tool: input.params?.["tool_slug"],
    params: input.params ?? {},
  };
}

function checkAgainstContract(operation: string, input: AnyInput, { contract }: Settings): void {
  if (!contract) return;
  const mismatches = (["query", "body"] as const).flatMap((part) =>
    contract
      .check(operation, part, input[part])
      .map((mismatch) => ({ ...mismatch, path: mismatch.path === "" ? part : `${part}.${mismatch.path}` })),
  );
  if (mismatches.length > 0) throw new ValidationError(operation, `${describeMismatches(mismatches)}.`, mismatches);
}

function encodeBody(operation: string, body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : "unknown reason";
    throw new ValidationError(operation, `the body cannot be written as JSON: ${reason}`);
  }
}

/** Exactly one credential: the first kind the endpoint accepts that the client holds. Two would be answered with 401. */
function credentialKind({ name, auth }: AnyEndpoint, { credentials }: Settings): CredentialKind | undefined {
  for (const kind of auth) if (credentials.has(kind)) return kind;
  if (auth.length === 0) return undefined;
  const accepted = auth.map((kind) => {
    const { header, variable } = CREDENTIALS[kind];
    return `new Svc({ ${kind} })${variable ? ` or ${variable}` : ""} (sent as ${header})`;
  });
  throw new MissingCredentialError(`${name} needs a credential. Set ${accepted.join(", or ")}.`);
}
