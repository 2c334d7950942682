// A plugin of TypeDoc: names entries as they are imported, groups exports by task, says where the specification has them,
// and lets the search find a method by the name that it is called by.
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import {
  Comment,
  CommentTag,
  Converter,
  DocumentReflection,
  IndexEvent,
  PageEvent,
  ReflectionKind,
  RendererEvent,
} from "typedoc";
import { operations } from "../../dist/contract.js";
import { TYPES } from "../../tsup.config.ts";
import { accessible } from "./accessible.mjs";
import { ENTRIES } from "./entries.mjs";
import { GUIDES, taskOf } from "./outline.mjs";

const operationOf = new Map(operations.map((operation) => [operation.endpoint.name, operation]));
const entryOf = new Map(ENTRIES.map((entry) => [resolve(entry.declarations), entry]));
const guideOf = new Map(GUIDES.map((guide) => [resolve(guide.path), guide]));

/** @param {import("typedoc").Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const path = document.project.files.getReflectionPath(document);
    const { title, category } = guideOf.get(path);
    document.name = title;
    // For links to a folder.
    if (dirname(path) !== resolve(".")) document.project.files.registerReflectionPath(`${dirname(path)}/`, document);
    document.frontmatter["category"] = category;
  });

  app.converter.on(Converter.EVENT_BEGIN, ({ project }) => addExamples(project));

  // Before TypeDoc reads the categories.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => annotate(project), 100);

  app.renderer.on(IndexEvent.PREPARE_INDEX, (event) => {
    // What a class takes over is found where it comes from.
    for (let index = event.searchResults.length - 1; index >= 0; index -= 1) {
      if (event.searchResults[index].inheritedFrom) event.removeResult(index);
    }
    event.searchFieldWeights["calledAs"] = 20;
    event.searchResults.forEach((reflection, index) => {
      const name = calledAs(reflection);
      if (name !== undefined) event.searchFields[index] = { ...event.searchFields[index], calledAs: name };
    });
  });

  app.renderer.on(PageEvent.END, (page) => {
    page.contents = accessible(page.contents);
  });

  // Where agents look for them.
  app.renderer.on(RendererEvent.END, ({ outputDirectory }) => {
    for (const name of ["llms.txt", "llms-full.txt"]) cpSync(join("dist", name), join(outputDirectory, name));
  });
}

/** The examples as one page, to which links to their files and folder lead. */
function addExamples(project) {
  const paths = readdirSync("examples", { recursive: true, encoding: "utf8" }).sort();
  const programs = paths.filter((path) => path.endsWith(".ts"));
  const texts = programs.map((path) => {
    const code = readFileSync(`examples/${path}`, "utf8").replace(/^\s*\/\/ #(end)?region.*\n/gm, "");
    return `## ${path}\n\n\`\`\`ts\n${code}\`\`\`\n`;
  });
  const content = [{ kind: "text", text: ["# Examples\n", ...texts].join("\n") }];
  const page = new DocumentReflection("Examples", project, content, { category: "Guides" });
  project.addChild(page);
  project.registerReflection(page, undefined, resolve("examples.md"));
  for (const path of ["", ...paths]) {
    project.files.registerReflectionPath(path === "" ? `${resolve("examples")}/` : resolve("examples", path), page);
  }
}

function annotate(project) {
  describeSchemas(project);
  for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
    module.name = entryOf.get(fileOf(module)).name;
    module.comment ??= new Comment();
    addTag(module, "@category", "Reference");
    for (const member of module.children ?? []) group(member);
  }
  // Only their types are exported, which makes them interfaces to TypeDoc.
  for (const member of clientOf(project).children)
    if (isResource(member)) member.type.reflection.kind = ReflectionKind.Class;
  for (const method of project.getReflectionsByKind(ReflectionKind.Method)) {
    const name = calledAs(method);
    if (name !== undefined) for (const signature of method.signatures) describe(signature, name);
  }
}

/** A schema is what its record is: the declarations say so once, beside the type of the same name. */
function describeSchemas(project) {
  const typed = ReflectionKind.Interface | ReflectionKind.TypeAlias;
  const docs = new Map(
    project.getReflectionsByKind(typed).flatMap(({ name, comment }) => (comment ? [[name, comment]] : [])),
  );
  for (const schema of project.getReflectionsByKind(ReflectionKind.Variable)) {
    if (fileOf(schema)?.endsWith(".zod.d.ts")) schema.comment ??= docs.get(schema.name)?.clone();
  }
}

const fileOf = (reflection) => reflection.project.getSymbolIdFromReflection(reflection)?.fileName;

/** Puts an export into the category of its task, and names the task's part of the specification where its doc names none. */
function group(reflection) {
  if (reflection.isReference()) return;
  const source = relative(TYPES, fileOf(reflection)).replaceAll("\\", "/");
  const { task, spec: ofTask } = taskOf(source);
  const spec = specOf(folderOf(source)) ?? ofTask;
  const owner = reflection.signatures?.[0] ?? reflection;
  // Nor does a category make an export documented.
  if (!owner.comment) return;
  const isPlaced = /\bSpec:|\bassumption/.test(Comment.combineDisplayParts(owner.comment?.summary));
  addTag(owner, "@category", task);
  if (spec !== undefined && !isPlaced) addTag(owner, "@spec", spec);
}

/** Says what the contract knows about a method, or about the resource of one that is made of others. */
function describe(signature, name) {
  const operation = operationOf.get(name);
  if (operation) {
    const { method, path, retry } = operation.endpoint;
    addTag(signature, "@request", `\`${method} ${path.replace("{apiVersion}", "v3.1")}\`, ${retry}`);
  }
  const spec = operation?.spec ?? specOf(resourceOf(name));
  if (spec !== undefined) addTag(signature, "@spec", spec);
}

/** Where the specification has a resource; else the assumption that stands for it. */
function specOf(resource) {
  const specs = operations.filter(({ endpoint }) => resourceOf(endpoint.name) === resource).map(({ spec }) => spec);
  return specs.find((spec) => !spec.startsWith("assumption")) ?? specs[0];
}

const resourceOf = (name) => name.slice(0, name.indexOf("."));

/** `authConfigs` for the files in `resources/auth-configs`. */
function folderOf(source) {
  const [, folder = ""] = /^resources\/([\w-]+)\//.exec(source) ?? [];
  return folder.replace(/-(\w)/g, (_dash, letter) => letter.toUpperCase());
}

function addTag(reflection, name, text) {
  reflection.comment?.blockTags.push(new CommentTag(name, [{ kind: "text", text }]));
}

const clientOf = (project) => project.getChildByName("svc-sdk").getChildByName("Svc");

const isResource = ({ type }) =>
  type?.reflection?.kindOf(ReflectionKind.Interface) &&
  type.reflection.children.some((child) => child.kindOf(ReflectionKind.Method));

/** `tools.execute` for the method `execute` of what `Svc` has as `tools`; undefined for what no client has. */
function calledAs(reflection) {
  if (!reflection.kindOf(ReflectionKind.Method)) return undefined;
  const { parent: owner, name } = reflection;
  const client = clientOf(reflection.project);
  if (owner === client) return `svc.${name}`;
  const property = client.children.find(({ type }) => type?.reflection === owner);
  return property && `${property.name}.${name}`;
}
