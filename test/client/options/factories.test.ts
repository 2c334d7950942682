import ts from "typescript";
import { expect, test } from "vitest";
import * as argumentsEntry from "../../../src/contract/arguments.js";
import * as contract from "../../../src/contract/index.js";
import * as main from "../../../src/index.js";
import * as otel from "../../../src/otel/index.js";
import { sources, syntaxOf } from "../../support/sources.js";

const entries = { ...main, ...contract, ...argumentsEntry, ...otel };

/** The names of all functions of the package that make a middleware. */
const factories = sources.flatMap(({ path, text }) =>
  syntaxOf(path, text).statements.flatMap((statement) =>
    ts.isFunctionDeclaration(statement) && statement.type?.getText() === "Middleware" && statement.name
      ? [statement.name.text]
      : [],
  ),
);

test.each(factories)("a client rejects %s in place of its result", (name) => {
  // A program without types may pass it.
  const use = [main.observe(() => undefined), Reflect.get(entries, name) as main.Middleware];
  const edit = `If ${name} is new: add it to FACTORIES in client/options/checks.ts.`;
  expect(() => new main.Svc({ baseUrl: "https://api.example.com", env: {}, use }), edit).toThrow(
    new main.ConfigError(`new Svc(): use[1] is ${name} itself. Call it: ${name}(…).`),
  );
});
