import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

/** The tarball, and a consumer's project with the package. */
export interface Packed {
  readonly tarball: string;
  /**
   * A project with the package in its `node_modules`, beside the declared dependencies and theirs. Work in folders of
   * it.
   */
  readonly project: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    packed: Packed;
  }
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>>;
}

/**
 * Optional peers whose entry needs them: svc-sdk/testing/msw, svc-sdk/otel and svc-sdk/undici are for those who have
 * them.
 */
const NEEDED_PEERS = ["msw", "@opentelemetry/api", "undici"];

const root = resolve(import.meta.dirname, "../..");
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;

/** Packages that an installation of these brings, in the order they are met. */
export function withTheirOwn(names: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const next of Object.keys(lock.packages[`node_modules/${name}`]?.dependencies ?? {})) visit(next);
  };
  for (const name of names) visit(name);
  return [...found];
}

/** Packs the build once for all tests that need it. Vitest calls this before the first of them. */
export default function setup(vitest: TestProject): () => void {
  const project = mkdtempSync(join(tmpdir(), "svc-sdk-"));
  const npm = ["pack", "--json", "--ignore-scripts", "--pack-destination", project];
  const run = (program: string, parameters: string[]) =>
    execFileSync(program, parameters, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  // npm 12 gives an object by package name, older ones a list.
  const [{ filename }] = Object.values(JSON.parse(run("npm", npm))) as [{ filename: string }];
  const tarball = join(project, filename);

  const installed = join(project, "node_modules", "svc-sdk");
  mkdirSync(installed, { recursive: true });
  run("tar", ["-xzf", tarball, "--strip-components", "1", "-C", installed]);
  const { name, version, dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
    name: string;
    version: string;
    dependencies: Record<string, string>;
  };
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, dependencies: { [name]: version } }));
  for (const needed of [...withTheirOwn(Object.keys(dependencies)), ...NEEDED_PEERS]) {
    const target = join(project, "node_modules", needed);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(root, "node_modules", needed), target, "junction");
  }
  vitest.provide("packed", { tarball, project });
  return () => rmSync(project, { recursive: true, force: true });
}
