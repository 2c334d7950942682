import { isObject, isString, mapMembers } from "./json.js";

/** Names of fields, headers and parameters, in any case and with `_`, `-` or nothing between words. */
const NAMES = {
  /** The value is a secret. */
  name: /pass(word|wd|phrase|code)|pwd|secret|credential|authorization|cookie|verifier|jwt|llm-gateway|(signature|bearer|otp|auth|tokens?|basic[-_]?encoded|sessionid|-keys?)$|(api|app|application|private|access|auth|signing|dev|developer|encryption|master|account|service|server|subscription|license|client|admin|session|shared|integration|webhook)[-_]?keys?$|(auth|verification|recovery|security)[-_]?code$|(^|[-_])(sig|pin|pass)$/i,
  /** Everything in the object is a secret. So is everything in an object with a secret's name. */
  container: /^(val|authConfig|connection_?data|custom_?connection_?data|custom_?auth_?params)$/i,
  /** The name only looks like a secret's, or says what a secret beside it is. */
  harmless:
    /^(status|name|in|base_?url|auth_?scheme|toolkit_?slug|token_?type|idempotency-key|.*(expires|issued|created|updated)[-_]?(at|in)|(next|prev|previous|page|sync|continuation|pagination|start)([-_]?page)?[-_]?token|(max|min|total|prompt|completion|input|output|cached|reasoning|used)[-_a-z]*tokens)$/i,
};

/** Whether the value of a field, header or parameter with this name is a secret. */
export function isSecretName(name: string): boolean {
  return NAMES.name.test(name) && !NAMES.harmless.test(name);
}

/** Whether everything in an object with this name is a secret. */
export function holdsSecrets(name: string): boolean {
  return NAMES.container.test(name) || isSecretName(name);
}

/**
 * A copy of a JSON value in which strings and numbers with the names of secrets are replaced, at every depth.
 *
 * @param name the value's own name.
 */
export function replaceSecrets(
  value: unknown,
  replace: (secret: string | number, name: string) => unknown,
  name = "",
  isInside = false,
): unknown {
  if (isString(value) || typeof value === "number") {
    const isSecret = isInside ? !NAMES.harmless.test(name) : isSecretName(name);
    return isSecret && value !== "" ? replace(value, name) : value;
  }
  const isSecret = isInside || holdsSecrets(name);
  // A header or parameter can be a pair of name and value. The legacy `connection` has credentials in `data`.
  const isPair = isObject(value) && [value["name"], value["key"]].some((key) => isString(key) && isSecretName(key));
  const secretMember = isPair ? "value" : name === "connection" ? "data" : undefined;
  return mapMembers(value, (member, key = name) =>
    replaceSecrets(member, replace, key, isSecret || key === secretMember),
  );
}

/** A copy of arguments for people and logs, without secrets. */
export function redacted(args: unknown): unknown {
  return replaceSecrets(args, () => "[redacted]");
}

/** A text without the secrets in its URLs: values of parameters with such names, and passwords. */
export function replaceInUrls(text: string, replacement: string): string {
  return text
    .replace(/([?&#]|&amp;)([\w.%-]+)=([^&\s"'#\\<>]+)/g, (part, mark: string, name: string) =>
      isSecretName(decoded(name)) ? `${mark}${name}=${replacement}` : part,
    )
    .replace(/(https?:\/\/[^/\s:@"]*):[^/\s@"]+@/gi, `$1:${replacement}@`);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // A lone percent sign.
    return name;
  }
}
