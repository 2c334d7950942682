// Lets a program outside of these folders import the libraries that are installed in one of them: node --import
// ./test/programs/resolve.mjs?steps
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const { search } = new URL(import.meta.url);
const manifest = new URL(`${search.slice(1)}/package.json`, import.meta.url);
const names = Object.keys(JSON.parse(readFileSync(manifest, "utf8")).dependencies);

registerHooks({
  resolve: (specifier, context, next) => {
    const isHere = names.some((name) => specifier === name || specifier.startsWith(`${name}/`));
    return next(specifier, isHere ? { ...context, parentURL: manifest.href } : context);
  },
});
