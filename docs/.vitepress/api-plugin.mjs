// A plugin of TypeDoc: names entries as they are imported, and divides the largest one, the client, by tasks.
import { relative, resolve } from "node:path";
import { Comment, CommentTag, Converter, DeclarationReflection, ReflectionKind } from "typedoc";
import { ENTRIES } from "../../scripts/docs/entries.mjs";
import { TASKS, taskOf } from "../../scripts/docs/outline.mjs";
import { TYPES } from "../../scripts/entries.ts";

const entryOf = new Map(ENTRIES.map((entry) => [resolve(entry.declarations), entry]));

/** @param {import("typedoc").Application} app */
export function load(app) {
  // Before TypeDoc groups and links what it has found.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => arrange(project), 100);
  // After TypeDoc compared them: the theme gives constructors no name to link.
  const constructors = ReflectionKind.Constructor | ReflectionKind.ConstructorSignature;
  app.converter.on(
    Converter.EVENT_RESOLVE_END,
    ({ project }) => {
      for (const one of project.getReflectionsByKind(constructors)) one.overwrites = one.inheritedFrom = undefined;
    },
    -1_000,
  );
}

function arrange(project) {
  const fileOf = (reflection) => project.getSymbolIdFromReflection(reflection).fileName;
  for (const variable of project.getReflectionsByKind(ReflectionKind.Variable)) {
    // A schema has the name and the doc of its type.
    if (fileOf(variable).endsWith(".zod.d.ts")) project.removeReflection(variable);
  }
  nameErrors(project);
  const [client, ...entries] = project.children;
  for (const entry of entries) {
    entry.name = entryOf.get(fileOf(entry)).name;
    entry.comment ??= new Comment([text(`Import from \`${entry.name}\`.`)]);
  }
  const tasks = Map.groupBy(client.children, (member) => taskOf(relative(TYPES, fileOf(member)).replaceAll("\\", "/")));
  const pages = TASKS.filter((task) => tasks.has(task)).map((task) => {
    const page = new DeclarationReflection(task.task, ReflectionKind.Module, project);
    page.comment = new Comment([text("Import from `svc-sdk`.")]);
    for (const member of tasks.get(task)) {
      if (isResource(member)) member.comment?.blockTags.push(new CommentTag("@group", [text("Operations")]));
      client.removeChild(member);
      member.parent = page;
      page.addChild(member);
    }
    project.registerReflection(page);
    return page;
  });
  project.removeReflection(client);
  project.children = [...pages, ...entries];
  project.childrenIncludingDocuments = [...project.children];
}

/** `@throws {NotFoundError}` links the class, which the theme doesn't print. */
function nameErrors(project) {
  const classes = new Map(project.getReflectionsByKind(ReflectionKind.Class).map((one) => [one.name, one]));
  const comments = Object.values(project.reflections).flatMap(({ comment }) => comment ?? []);
  for (const { tag, typeAnnotation, content } of comments.flatMap(({ blockTags }) => blockTags)) {
    if (tag !== "@throws" || typeAnnotation === undefined) continue;
    const name = typeAnnotation.slice(1, -1);
    const target = classes.get(name);
    const error = target ? { kind: "inline-tag", tag: "@link", text: name, target } : text(`\`${name}\``);
    content.unshift(error, text(" "));
  }
}

/** Resources are exported as types only. */
const isResource = (member) =>
  member.kindOf(ReflectionKind.Interface) && member.children?.some((child) => child.kindOf(ReflectionKind.Method));

const text = (words) => ({ kind: "text", text: words });
