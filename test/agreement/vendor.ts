import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.js";
import { type RunningEmulator, startEmulator } from "../../src/emulator/node.js";
import { renamingProxy } from "./renaming-proxy.js";

const folder = resolve("test/programs/agreement/node_modules");

/** Whether the reference clients are installed. */
export const isInstalled = existsSync(folder);

/** For the titles of tests that need them. */
export const needs = isInstalled ? "" : " [skipped: needs npm run agreement]";

/** A package of the reference clients, which aren't installed everywhere. */
export function load(path: string): Promise<Readonly<Record<string, unknown>>> {
  return import(/* @vite-ignore */ pathToFileURL(resolve(folder, path)).href);
}

/** An emulator, and its origin for programs that use the vendor's name. */
export async function vendorService(
  options: EmulatorOptions = {},
): Promise<{ emulator: RunningEmulator; origin: string }> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  const origin = await renamingProxy({
    target: emulator.url,
    sent: (text) => text.replaceAll("COMPOSIO", "SVC").replaceAll("composio", "svc"),
    received: (text) =>
      text.replace(/(?<![A-Za-z\d])(svc|SVC)(?![A-Za-z\d])/g, (name) => (name === "SVC" ? "COMPOSIO" : "composio")),
  });
  return { emulator, origin };
}
