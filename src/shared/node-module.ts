/**
 * A module of Node, such as `node:crypto`, typed by the caller as far as it is used. Loaded at run time, so that
 * bundlers don't see an import that other runtimes don't have.
 *
 * @returns `undefined` in a runtime without the module, or without a `process` that loads one.
 */
export function nodeModule<Module>(name: string): Module | undefined {
  // The runtime's global, if it is one.
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): Module | undefined } };
  return process?.getBuiltinModule?.(name);
}
