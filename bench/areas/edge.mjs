// An agent's whole loop on edge platforms: the bytes of its bundle, and the time from a cold start to its end.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { compare, interleave, mapValues, median } from "../kit/measure.mjs";
import { withProcesses } from "../kit/processes.mjs";
import { adapterVersions, installAdapters, manifestOf, rivals, root } from "../kit/rivals.mjs";
import { digits } from "../kit/tables.mjs";

const EMPTY = "an empty program";
const OURS = "svc-sdk";
const UNGUARDED = "svc-sdk, without approval and store";
const RIVAL = "@composio/core + openai";
const SUBJECTS = {
  [EMPTY]: `export const run = async () => "issues";`,
  [OURS]: `export { run } from "./loop.mjs";`,
  [UNGUARDED]: `export { runUnguarded as run } from "./loop.mjs";`,
  [RIVAL]: `export { run } from "./adapters/loop.mjs";`,
};

/** Each with the options that its own tools bundle with, and the way to start it. */
const PLATFORMS = {
  workerd: { start: inWorkerd, format: "esm", conditions: ["workerd", "worker", "browser"] },
  "edge VM": { start: inEdgeVm, format: "iife", globalName: "loop", conditions: ["edge-light", "worker", "browser"] },
};

/** Installed by `npm run runtimes`. */
const TOOLS = join(root, "test/programs/runtimes/package.json");
const toolVersions = () =>
  ["workerd", "@edge-runtime/vm"].map((name) => `${name} ${manifestOf(join(TOOLS, "../node_modules", name)).version}`);

const WORKER = `import { run } from "./bundle.mjs";
const loop = async (request) => new Response(await run(await request.json()));
export default { fetch: (request) => loop(request).catch((error) => new Response(String(error), { status: 500 })) };`;

/** The text that the loop returned, and the milliseconds from the start of workerd's process to its first response. */
async function inWorkerd(_opened, folder, input) {
  writeFileSync(join(folder, "worker.mjs"), WORKER);
  copyFileSync(join(root, "bench/areas/edge.capnp"), join(folder, "config.capnp"));
  const startedAt = performance.now();
  const stdio = ["ignore", "ignore", "pipe", "pipe"];
  const child = spawn(createRequire(TOOLS)("workerd").default, ["serve", "--control-fd=3", "config.capnp"], { cwd: folder, stdio });
  let complaints = "";
  child.stderr.on("data", (chunk) => (complaints += chunk));
  try {
    const port = await new Promise((resolve) => {
      child.stdio[3].once("data", (chunk) => resolve(JSON.parse(chunk).port));
      child.once("close", () => resolve(undefined));
    });
    if (port === undefined) return { text: complaints };
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: JSON.stringify(input) });
    return { text: await response.text(), ms: performance.now() - startedAt };
  } finally {
    child.kill("SIGKILL");
  }
}

/** The text that the loop returned, and the milliseconds from the creation of the VM, in a new process. */
async function inEdgeVm(opened, folder, input) {
  return (await opened("./edge-vm.mjs", [TOOLS, join(folder, "bundle.mjs"), JSON.stringify(input)])).greeting;
}

/** Writes each subject's bundle into a new folder, and returns the folders. */
async function bundleFor(platform, parent) {
  const { start, ...options } = PLATFORMS[platform];
  const folders = {};
  for (const [name, contents] of Object.entries(SUBJECTS)) {
    folders[name] = join(parent, String(Object.keys(folders).length));
    await build({
      stdin: { contents, resolveDir: rivals },
      outfile: join(folders[name], "bundle.mjs"),
      bundle: true,
      minify: true,
      platform: "browser",
      external: ["node:*"],
      logLevel: "error",
      ...options,
    });
  }
  return folders;
}

/** Of each subject: bytes, and times or the reason why it can't run on a platform. */
async function measured(platform, input, rounds) {
  const { start } = PLATFORMS[platform];
  const parent = mkdtempSync(join(tmpdir(), "svc-sdk-edge-"));
  try {
    const folders = await bundleFor(platform, parent);
    return await withProcesses(async (opened) => {
      const errors = {};
      for (const [name, folder] of Object.entries(folders)) {
        const { text } = await start(opened, folder, input);
        if (!text.includes("issues")) errors[name] = text.split("\n", 1)[0];
      }
      if (errors[EMPTY] || errors[OURS]) throw new Error(`${platform}: ${JSON.stringify(errors)}`);
      const names = Object.keys(folders).filter((name) => !errors[name]);
      const times = await interleave(names, { rounds, warmUps: 1 }, async (name) => (await start(opened, folders[name], input)).ms);
      return mapValues(folders, (folder, name) => {
        const bytes = readFileSync(join(folder, "bundle.mjs"));
        return { minified: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, times: times[name], error: errors[name] };
      });
    });
  } finally {
    rmSync(parent, { recursive: true });
  }
}

export const edge = {
  title: "An agent's loop on the edge",
  about: `The client, a toolset, the OpenAI adapter, approvals and a store run one call of a scripted model, as packed, against an emulator on
loopback. ${RIVAL} has neither approvals nor a store. KB are those of the minified bundle, of 1,000 bytes. Milliseconds
are from a cold start to the end of the loop: of a new process of workerd, of a new VM in a new process of Node.`,
  versions: () => [...adapterVersions(), ...toolVersions()],
  async measure({ quick }) {
    if (!existsSync(join(TOOLS, "../node_modules"))) throw new Error("There is no workerd: run npm run runtimes.");
    installAdapters();
    const { startEmulator } = await import("../../dist/emulator/node.js");
    const emulator = await startEmulator();
    const { baseUrl, apiKey } = emulator.connection;
    const args = { owner: "octo-org", repo: "hello-world", title: "It works" };
    const input = { baseUrl, apiKey, slug: "GITHUB_CREATE_AN_ISSUE", version: "20251023_00", args };
    try {
      const figures = {};
      for (const platform of Object.keys(PLATFORMS)) figures[platform] = await measured(platform, input, quick ? 3 : 21);
      return figures;
    } finally {
      await emulator.close();
    }
  },
  rows: (figures) => {
    const rows = Object.entries(figures).flatMap(([platform, subjects]) =>
      Object.entries(subjects).map(([name, { minified, gzip, times, error }]) => [
        `${platform}: ${name}`,
        { "minified, KB": digits(minified / 1_000), "gzip, KB": digits(gzip / 1_000), "cold, ms": times ? digits(median(times)) : error },
      ]),
    );
    return Object.fromEntries(rows);
  },
  budgets: (figures) =>
    Object.entries(figures).flatMap(([platform, subjects]) => {
      const what = `an agent's loop in ${platform === "workerd" ? "workerd" : "an edge VM"}`;
      const rival = subjects[RIVAL];
      const bytes = [`${what}, with approval and store: KB gzip, ÷ \`${RIVAL}\`, which has neither`, subjects[OURS].gzip / rival.gzip, 1];
      if (rival.error) return [bytes];
      const cold = (name) => compare(subjects[name].times, rival.times);
      const [guarded, unguarded] = [cold(OURS), cold(UNGUARDED)];
      return [
        bytes,
        ["the same: from a cold start to its end", guarded.ratio, 1, guarded.certain],
        ["the same without approval and store: from a cold start to its end", unguarded.ratio, 1, unguarded.certain],
      ];
    }),
};
