// A separate program: Deno lets one without permissions import only what it names.
import { run } from "./in-process.js";

console.log(JSON.stringify(await run()));
