// Runs scripts of package.json at the same time: node scripts/side-by-side.mjs typecheck lint. Prints what each one says
// when it has ended, and fails if one of them does.
import { spawn } from "node:child_process";

const succeeded = await Promise.all(process.argv.slice(2).map(run));
if (succeeded.length === 0 || succeeded.includes(false)) process.exitCode = 1;

function run(script) {
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", script], {
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
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
