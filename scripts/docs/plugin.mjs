// A plugin of TypeDoc: names entries as they are imported, groups exports by task, says where the specification has
// them, and builds the site's search and script.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { buildSync } from "esbuild";
import {
  Comment,
  CommentTag,
  Converter,
  DeclarationReflection,
  DocumentReflection,
  IndexEvent,
  PageEvent,
  ReflectionKind,
  RendererEvent,
} from "typedoc";
import { operations } from "../../dist/contract.js";
import { TYPES } from "../entries.ts";
import { accessible } from "./accessible.mjs";
import { ENTRIES } from "./entries.mjs";
import { GUIDES, taskOf } from "./outline.mjs";
import { indexOf } from "./search.mjs";
import { declarationOf, sectionsOf } from "./search-entries.mjs";

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

  // Before TypeDoc reads the categories.
  app.converter.on(
    Converter.EVENT_RESOLVE_BEGIN,
    ({ project }) => {
      addExamples(project);
      annotate(project);
    },
    100,
  );

  // TypeDoc's own index stays empty.
  app.renderer.on(IndexEvent.PREPARE_INDEX, ({ searchResults }) => void searchResults.splice(0));

  const sections = [];
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = accessible(page.contents);
    const isRead = page.model instanceof DocumentReflection || page.url === "index.html";
    if (isRead) sections.push(...sectionsOf(page));
  });

  app.renderer.on(RendererEvent.END, ({ outputDirectory }) => {
    const assets = join(outputDirectory, "assets");
    const index = indexOf([...sections.splice(0), ...declarations(app.renderer.router)]);
    writeFileSync(join(assets, "search.js"), `globalThis.searchIndex=${JSON.stringify(index)};`);
    buildSync({
      entryPoints: [join(import.meta.dirname, "site.js")],
      outfile: join(assets, "custom.js"),
      allowOverwrite: true,
      bundle: true,
      minify: true,
      // The manifest's "sideEffects" describes the package.
      ignoreAnnotations: true,
      banner: { js: `/*!\n${readFileSync("node_modules/minisearch/LICENSE.txt", "utf8")}*/` },
    });
    // Where agents look for them.
    cpSync(join("dist", "llms-reference.txt"), join(outputDirectory, "llms-reference.txt"));
    const { router } = app.renderer;
    const urls = new Map(
      router.getLinkTargets().map((target) => [target.name, router.hasUrl(target) && router.getFullUrl(target)]),
    );
    const links = readFileSync(join("dist", "llms.txt"), "utf8").replace(
      /\[([^\]]+)\]\(\.\.\/docs\/[^)]+\)/g,
      (link, title) => (urls.get(title) ? `[${title}](${urls.get(title)})` : link),
    );
    writeFileSync(join(outputDirectory, "llms.txt"), links);
  });
}

/** The entries of the search for the reference. Inherited members are listed with the class that declares them. */
function declarations(router) {
  const targets = router.getLinkTargets().filter((target) => target instanceof DeclarationReflection && target.name);
  return targets
    .filter((target) => !target.inheritedFrom && !target.isReference() && !target.flags.isExternal)
    .map((target) => declarationOf(target, { url: router.getFullUrl(target), calledAs: calledAs(target) }));
}

/** The examples as one page, to which links to their files and folder lead. */
function addExamples(project) {
  const paths = readdirSync("examples", { recursive: true, encoding: "utf8" }).sort();
  const programs = paths.filter((path) => path.endsWith(".ts"));
  const sections = programs.map((path) => {
    const code = readFileSync(`examples/${path}`, "utf8").replace(/^\s*\/\/ #(end)?region.*\n/gm, "");
    return `## ${path}\n\n\`\`\`ts\n${code}\`\`\`\n`;
  });
  const content = [{ kind: "text", text: ["# Examples\n", ...sections].join("\n") }];
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

/**
 * Puts an export into the category of its task, and names the task's part of the specification where its doc names
 * none.
 */
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

/** Adds the contract's facts to a method, or the facts of a resource to a method that calls others. */
function describe(signature, name) {
  const operation = operationOf.get(name);
  if (operation) {
    const { method, path, retry } = operation.endpoint;
    addTag(signature, "@request", `\`${method} ${path.replace("{apiVersion}", "v3.1")}\`, ${retry}`);
  }
  const spec = operation?.spec ?? specOf(resourceOf(name));
  if (spec !== undefined) addTag(signature, "@spec", spec);
}

/** The section of the specification for a resource, otherwise the assumption that replaces the section. */
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
