// Runs a script of scenarios in this process. Usage: process.mjs <script> <connection as JSON>
const [script, connection] = process.argv.slice(2);
const { run } = await import(script);
console.log(JSON.stringify(await run(JSON.parse(connection))));
