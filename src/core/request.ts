import { describeMismatches, MissingCredentialError, ValidationError } from "../errors/local.js";
import { CREDENTIALS } from "./credentials.js";
import type { AnyEndpoint, AnyInput } from "./endpoint.js";
import type { RequestOptions, Settings } from "./options.js";
import { lowerCased } from "./settings.js";
import type { PreparedRequest } from "./transport.js";
import { buildUrl } from "./url.js";

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
  return {
    method: endpoint.method,
    url: buildUrl(settings.baseUrl, settings.apiVersion, endpoint, input),
    headers: {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...settings.headers,
      ...(options.headers && lowerCased(options.headers)),
      ...credentialHeader(endpoint, settings),
    },
    body,
    origin: settings.origin,
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
function credentialHeader(endpoint: AnyEndpoint, { credentials }: Settings): Record<string, string> {
  if (endpoint.auth.length === 0) return {};
  for (const kind of endpoint.auth) {
    const value = credentials.get(kind);
    const { header, prefix } = CREDENTIALS[kind];
    if (value !== undefined) return { [header]: prefix + value };
  }
  const accepted = endpoint.auth.map((kind) => {
    const { header, variable } = CREDENTIALS[kind];
    return `new Svc({ ${kind} })${variable ? ` or ${variable}` : ""} (sent as ${header})`;
  });
  throw new MissingCredentialError(`${endpoint.name} needs a credential. Set ${accepted.join(", or ")}.`);
}
