// Lets a program outside of this folder import the libraries that are installed in it: node --import
// ./test/programs/steps/resolve.mjs
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const manifest = new URL("package.json", import.meta.url);
const names = Object.keys(JSON.parse(readFileSync(manifest, "utf8")).dependencies);

registerHooks({
  resolve: (specifier, context, next) => {
    const isHere = names.some((name) => specifier === name || specifier.startsWith(`${name}/`));
    return next(specifier, isHere ? { ...context, parentURL: manifest.href } : context);
  },
});
