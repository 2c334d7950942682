import { CLIENT_METHODS } from "./client-methods.js";
import { CONNECTION_METHODS, CORE_METHODS, SESSION_METHODS } from "./core-methods.js";
import { type ClientLibrary, EXPORTS } from "./exports.js";
import { type Method, methodsOf } from "./method-table.js";
import { ADAPTERS, OPAQUE, READ, type Shape } from "./names.js";

/** The methods of each library's client by path. */
export const METHODS = { client: methodsOf(CLIENT_METHODS), core: methodsOf(CORE_METHODS) };

/** The methods of values that another method returned. */
export const VALUE_METHODS: Readonly<Partial<Record<Shape, ReadonlyMap<string, Method>>>> = {
  session: methodsOf(SESSION_METHODS),
  connection: methodsOf(CONNECTION_METHODS),
};

/** Kinds of values whose fields are records. Other values have only the fields in the table. */
const OF_RECORDS = /^(record|session|sessionRecord|createdAuthConfig)$/;

// Its keys are the kinds.
const SHAPES = Object.keys(READ) as Shape[];

const VALUES = "svc-sdk/migrate/values";
/** The type of parts whose kind nothing depends on. */
const UNCHECKED = "any";
const UNLISTED = `[name: string]: ${UNCHECKED};`;
const PARAMETERS = `(...given: ${UNCHECKED}[])`;

/**
 * Declarations of the libraries for the compiler, from the tables. They stand for the libraries whether these are
 * installed or not, and say of each type by its properties with `~` what it is to a migration.
 */
export function libraryDeclarations(): string {
  return [
    block(`declare module "${VALUES}"`, [
      block("export interface ApiPromise<Value> extends Promise<Value>", ["withResponse(): ApiPromise<response>;"]),
      ...SHAPES.map(valueDeclaration),
    ]),
    clientModule("@composio/client", "client", "export default Composio;"),
    'declare module "@composio/client/*" { export * from "@composio/client"; export { default } from "@composio/client"; }',
    clientModule("@composio/core", "core", "export const __esModule: true;"),
    ...Object.entries(ADAPTERS).map(([module, { providers }]) =>
      block(
        `declare module "${module}"`,
        providers.map((name) => `export class ${name} { constructor${PARAMETERS}; "~package": "${module}"; }`),
      ),
    ),
    ...["@composio/client", "@composio/core"].map(
      (module) => `declare function require(module: "${module}"): typeof import("${module}");`,
    ),
  ].join("\n");
}

function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.join("\n")}\n}`;
}

function valueDeclaration(shape: Shape): string {
  const unknown = OF_RECORDS.test(shape)
    ? [...[...OPAQUE].map((name) => `${name}: ${UNCHECKED};`), "[name: string]: record;"]
    : [UNLISTED];
  return block(`export interface ${shapeType(shape)}${shape === "record" ? " extends Array<record>" : ""}`, [
    `"~shape": "${shape}";`,
    shape === "session" ? '"~provider": Provider;' : "",
    ...unknown,
    ...Object.entries(READ[shape]).flatMap(([name, path]) =>
      path.startsWith("=") ? `${name}: ${path.slice(1)};` : [],
    ),
    ...[...(VALUE_METHODS[shape] ?? [])].map(([name, method]) => name + signatureOf(method)),
  ]);
}

function clientModule(module: string, library: ClientLibrary, more: string): string {
  const others = [...EXPORTS[library]].filter(([name]) => name !== "Composio" && name !== "default");
  return block(`declare module "${module}"`, [
    `import { ApiPromise, ${SHAPES.join(", ")} } from "${VALUES}";`,
    more,
    block("export class Composio<Provider = unknown, Versions = unknown>", [
      `constructor(options?: { provider?: Provider; toolkitVersions?: Versions; ${UNLISTED} });`,
      'getClient(): import("@composio/client").Composio<Provider, Versions>;',
      membersOf(library, ""),
    ]),
    ...others.map(([name, { shape }]) =>
      shape
        ? `export type ${name} = ${shapeType(shape).replace("Provider", "unknown")};`
        : `export class ${name} { constructor${PARAMETERS}; ${UNLISTED} static ${UNLISTED} }`,
    ),
    block("export namespace Composio", [`export { ${others.map(([name]) => name).join(", ")} };`]),
  ]);
}

/** The members of a client, or of a group of its methods. */
function membersOf(library: ClientLibrary, path: string): string {
  const start = path === "" ? "" : `${path}.`;
  const below = [...METHODS[library].keys()].filter((one) => one.startsWith(start));
  const names = new Set(below.map((one) => one.slice(start.length).split(".", 1).join()));
  const members = [...names].map((name) => {
    const method = METHODS[library].get(start + name);
    return block(`${name}:`, [method ? signatureOf(method) : "", membersOf(library, start + name)]);
  });
  return [
    `"~library": "${library}"; "~path": "${path}"; "~provider": Provider; "~versions": Versions;`,
    ...members,
  ].join("\n");
}

function signatureOf({ result = "wire" }: Method): string {
  return `${PARAMETERS}: ApiPromise<${shapeType(result)}>;`;
}

function shapeType(shape: Shape): string {
  return shape === "session" ? "session<Provider>" : shape;
}
