// What the site's search finds: the sections of the pages that people read, and the declarations of the reference.
import { ReflectionKind } from "typedoc";
import { fixedWordsOf } from "./search.mjs";

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** The sections of a page, each with its heading. */
export function sectionsOf({ model, url, contents }) {
  const { name: page, frontmatter } = model;
  const [, main] = /<div class="tsd-panel tsd-typography">([\s\S]*)<div class="col-sidebar">/.exec(contents);
  const sections = main.match(/<h[1-6] id="[\s\S]*?(?=<h[1-6] id="|$)/g);
  return sections.map((html) => {
    const [heading, level, id] = /^<h(\d) id="([^"]+)"[\s\S]*?<\/h\1>/.exec(html);
    const name = textOf(heading);
    const isPage = level === "1";
    return {
      kind: ReflectionKind.Document,
      name,
      heading: name,
      page,
      text: textOf(html.slice(heading.length)),
      url: isPage ? url : `${url}#${id}`,
      before: isPage ? "" : `${page} › `,
      // What contributors read comes after what developers read.
      weight: (isPage ? 2 : 1) * (frontmatter?.["category"] === "The project" ? 0.5 : 1),
      ...(page === "Troubleshooting" && level === "3" && { message: fixedWordsOf(name) }),
    };
  });
}

function textOf(html) {
  const text = html.replace(/<svg[\s\S]*?<\/svg>|<[^>]+>/g, " ");
  return text
    .replace(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity])
    .replace(/\s+/g, " ")
    .trim();
}

/** A declaration; `calledAs` is the name that a method is called by, if a client has it. */
export function declarationOf(reflection, { url, calledAs }) {
  const { kind, name, parent } = reflection;
  const comments = [reflection, reflection.getSignature, reflection.setSignature, ...(reflection.signatures ?? [])];
  const parts = comments.flatMap((owner) => owner?.comment ?? []).flatMap(partsOf);
  const knownAs = calledAs ?? (parent.kindOf(ReflectionKind.SomeModule) ? name : undefined);
  return {
    kind,
    name,
    names: `${name} ${knownAs ?? ""}`,
    page: parent.name,
    text: parts.map(({ text }) => text).join(" "),
    url,
    before: parent.isProject() ? "" : `${parent.getFullName()}.`,
    weight: 1,
    ...(knownAs && { knownAs }),
  };
}

const partsOf = ({ summary, blockTags }) => [...summary, ...blockTags.flatMap(({ content }) => content)];
