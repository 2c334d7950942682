// Runs scripts of package.json at the same time: node scripts/side-by-side.mjs typecheck lint. Prints what each one says
// when it has ended, and fails if one of them does.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));

const succeeded = await Promise.all(process.argv.slice(2).map(run));
if (succeeded.length === 0 || succeeded.includes(false)) process.exitCode = 1;

function run(script) {
  return new Promise((resolve) => {
    // Not through npm, which starts another process for each: npm has put the commands into this one's path.
    // The compiler and the linter end soon: they collect garbage less often.
    const env = { ...process.env, GOGC: process.env.GOGC ?? "400" };
    const child = spawn(scripts[script] ?? `npm run ${script}`, {
      stdio: ["ignore", "pipe", "pipe"],
      shell: true,
      env,
    });
    const said = [];
    child.stdout.on("data", (bytes) => said.push(bytes));
    child.stderr.on("data", (bytes) => said.push(bytes));
    child.on("error", (error) => said.push(Buffer.from(`${error.message}\n`)));
    // Not by a code if it was killed, and not at all if it could not start.
    child.on("close", (code) => {
      process.stdout.write(Buffer.concat(said));
      if (code !== 0) console.error(`npm run ${script} failed.`);
      resolve(code === 0);
    });
  });
}
