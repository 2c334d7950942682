import { nameWithin, nearestName } from "../../shared/nearest-name.js";
import type { Callable } from "./callable.js";
import { NOT_CALLABLE } from "./methods.js";

/** Says that an operation does not exist, and suggests the operation that was probably meant. */
export function unknownOperation(name: string, known: ReadonlyMap<string, Callable>): string {
  const reason = Object.hasOwn(NOT_CALLABLE, name) ? NOT_CALLABLE[name] : undefined;
  return reason === undefined ? `Unknown operation: ${name}.${hint(name, known)}` : `${name} ${reason}`;
}

function hint(name: string, known: ReadonlyMap<string, Callable>): string {
  const names = [...known.keys()];
  // The first part of a name, such as the resource, is more likely than a typo of another name.
  const started = names.filter((each) => each.toLowerCase().startsWith(name.toLowerCase()));
  if (started.length > 1) return ` Did you mean one of ${started.join(", ")}?`;
  const [resource = "", method = ""] = name.split(".");
  // A program calls the methods of a session's object.
  const ofSession = `toolRouter.${method}`;
  const meant =
    started[0] ?? (/^session$/i.test(resource) && known.has(ofSession) ? ofSession : undefined) ?? typo(name, known);
  if (meant !== undefined) return ` Did you mean ${meant}?`;
  const ofResource = names.filter((each) => resourceOf(each).toLowerCase() === resource.toLowerCase());
  if (ofResource.length === 0) return " See svc-sdk call --help.";
  return ` The operations of ${resourceOf(ofResource[0] ?? "")} are ${ofResource.map(methodOf).join(", ")}.`;
}

const resourceOf = (name: string) => name.split(".")[0] ?? "";
const methodOf = (name: string) => name.split(".")[1] ?? "";

/** The operation with nearly the same resource and nearly the same method. */
function typo(name: string, known: ReadonlyMap<string, Callable>): string | undefined {
  const plain = name.replaceAll("_", "");
  const resource = nearestName(resourceOf(plain), [...new Set([...known.keys()].map(resourceOf))]);
  const candidates = [...known]
    // A word that differs more may mean something harmless, as `remove` from a list.
    .filter(([each, { endpoint }]) => !destroys(endpoint) || nameWithin(1, methodOf(plain), [methodOf(each)]))
    .flatMap(([each]) => (resourceOf(each) === resource ? [methodOf(each)] : []));
  const method = nearestName(methodOf(plain), candidates);
  return method === undefined ? undefined : `${resource}.${method}`;
}

/** Whether a call can't be undone: it deletes, or makes a key or a secret invalid. */
function destroys({ name, method }: Callable["endpoint"]): boolean {
  return method === "DELETE" || /\.(?:mountDelete|revoke|rotate\w*|regenerate\w*|replace)$/.test(name);
}
