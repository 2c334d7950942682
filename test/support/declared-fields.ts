import type * as z from "zod/mini";
import { fitsShape } from "../../src/contract/check-shape.js";
import { type ContractChecker, checkContract, contract, operations } from "../../src/contract/index.js";
import type { Middleware } from "../../src/index.js";
import { isObject } from "../../src/shared/json.js";
import type { Definition } from "../contract/arbitrary.js";

type Schema = z.core.$ZodType;

/** The paths of fields that no part of a schema declares. Records and unknown values allow any field. */
function undeclaredFields(schema: Schema, value: unknown, path = ""): string[] {
  const definition: Definition = schema._zod.def;
  const { innerType, options, shape, catchall, element, valueType, getter, left, right } = definition;
  const inner = innerType ?? getter?.();
  if (inner) return undeclaredFields(inner, value, path);
  if (options) {
    const found = options
      .filter((option) => fitsShape(option, value))
      .map((option) => undeclaredFields(option, value, path));
    return found.toSorted((one, other) => one.length - other.length)[0] ?? [];
  }
  if (left && right) {
    const others = new Set(undeclaredFields(right, value, path));
    return undeclaredFields(left, value, path).filter((found) => others.has(found));
  }
  if (element && Array.isArray(value)) {
    return value.flatMap((item, index) => undeclaredFields(element, item, `${path}[${index}]`));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const place = path === "" ? name : `${path}.${name}`;
    const declared = (shape && Object.hasOwn(shape, name) ? shape[name] : catchall) ?? valueType;
    if (declared) return undeclaredFields(declared, member, place);
    return shape ? [place] : [];
  });
}

const responses = new Map<string, Schema>(operations.map(({ endpoint, response }) => [endpoint.name, response]));

const closed: ContractChecker = {
  check(operation, part, value) {
    const mismatches = contract.check(operation, part, value);
    const schema = responses.get(operation);
    if (part !== "response" || mismatches.length > 0 || !schema) return mismatches;
    const expected = "a field that the response's shape declares: declare it, or don't show it";
    return undeclaredFields(schema, value).map((path) => ({ path, expected, received: "another field" }));
  },
};

/** As `checkContract()`, and rejects a response of the emulator with a field that its shape doesn't declare. */
export const checkDeclared = (): Middleware => checkContract({ contract: closed, onMismatch: "throw" });
