// Lists each pinned package that has a newer version: npm run outdated. test/programs/oldest-agents is old on purpose. The tag
// "latest" isn't asked: it can be behind the newest version.
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);
const files = globSync(["package.json", "{scripts,test/programs}/*/package.json"], {
  exclude: ["**/oldest-agents/**"],
}).sort();
const pins = files.flatMap((file) => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(file, "utf8"));
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).flatMap(([alias, wanted]) => {
    const [, name = alias, version] = /^(?:npm:(.+)@)?[\^~]?(\d.*)$/.exec(wanted) ?? [];
    return version === undefined ? [] : [{ file, name, version }];
  });
});

const newestOf = new Map();
const names = [...new Set(pins.map(({ name }) => name))];
// A few at once.
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) newestOf.set(name, await newest(name));
  }),
);

const rows = pins.filter(({ name, version }) => compare(newestOf.get(name), version) > 0);
for (const { file, name, version } of rows) console.log(`${name} ${version} -> ${newestOf.get(name)} (${file})`);
console.log(
  rows.length === 0 ? "Every pin is the newest version." : `${rows.length} of ${pins.length} pins are older.`,
);

/** The highest version that isn't a prerelease. */
async function newest(name) {
  const { stdout } = await run("npm", ["view", name, "versions", "--json"], { shell: process.platform === "win32" });
  return (
    [JSON.parse(stdout)]
      .flat()
      .filter((version) => !version.includes("-"))
      .sort(compare)
      .at(-1) ?? "0.0.0"
  );
}

function compare(one, other) {
  const [a, b] = [one, other].map((version) => version.split(/[.-]/).map(Number));
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
