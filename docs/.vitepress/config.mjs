// The site: the front page, the guides in the order of their index, and the API reference that TypeDoc has written to
// docs/api. Other pages are for maintainers, who read them in the repository.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { GROUPS } from "../../scripts/docs/outline.mjs";

const { homepage, repository, version } = JSON.parse(readFileSync("package.json", "utf8"));
/** The start of every link to the repository. */
const REPOSITORY = repository.url.replace(/^git\+|\.git$/g, "");
/** The start of these links in the guides. */
const PLACEHOLDER = homepage.replace("#readme", "");

const guides = GROUPS.flatMap(({ pages }) => pages);
/** A page's path below docs. The site serves a folder's README.md as its index. */
const below = (path) => path.replace(/^docs\//, "").replace("README.md", "index.md");

/** The pages of the API reference: tasks of the client, then the other entries. */
const REFERENCE = "docs/api/README.md";
const rows = existsSync(REFERENCE) ? readFileSync(REFERENCE, "utf8").matchAll(/^- \[(.+)\]\((.+)\)$/gm) : [];
const reference = Object.groupBy(
  [...rows].map(([, text, link]) => ({ text, link: `/api/${link}` })),
  ({ text }) => (text.startsWith("svc-sdk/") ? "Other entries" : "svc-sdk"),
);

/** The target of a link on a page: a page of the site, otherwise a file in the repository. */
function target(href, page) {
  const isElsewhere = /^(#|\/|\w+:)/.test(href) && !href.startsWith(PLACEHOLDER);
  if (isElsewhere || page.startsWith("api/")) return href;
  const path = href.startsWith(PLACEHOLDER)
    ? href.slice(PLACEHOLDER.length + 1)
    : `blob/main/${posix.join("docs", posix.dirname(page), href)}`;
  const [file] = path.replace("blob/main/", "").split("#");
  const isOnSite = file === "docs/guide/README.md" || guides.some((guide) => guide.path === file);
  return isOnSite ? `/${below(path.replace("blob/main/", ""))}` : `${REPOSITORY}/${path}`;
}

/** Where the API reference describes each export. */
const exported = new Map(
  globSync("docs/api/*.md").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/^### (\w+).* \{#(\S+)\}$/gm)].map(([, name, anchor]) => [
      name,
      `/${below(path)}#${anchor}`,
    ]),
  ),
);

/** Links to the API reference of what a page uses: what its code imports, and what its text calls. */
function apiLinks(text) {
  const imported = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from "svc-sdk[^"]*"/gm)]
    .flatMap(([, names]) => names.split(","))
    .map((name) => name.replace(/\btype | as .*/g, "").trim());
  const called = [...text.matchAll(/`(\w+)\([^`]*`/g)].map(([, name]) => name);
  const names = [...new Set([...imported, ...called])].filter((name) => exported.has(name)).toSorted();
  const links = names.map((name) => `[\`${name}\`](${exported.get(name)})`);
  return links.length > 0 ? `\n\nAPI reference: ${links.join(", ")}\n` : "";
}

function extendMarkdown(markdown) {
  markdown.core.ruler.before("normalize", "api", (state) => {
    const { relativePath = "" } = state.env;
    if (/^guide\/(?!index)|^options/.test(relativePath)) state.src += apiLinks(state.src);
  });
  markdown.core.ruler.push("site", ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === "link_open") token.attrSet("href", target(token.attrGet("href"), env.relativePath));
    for (const [index, cell] of tokens.entries()) {
      if (cell.type !== "td_open") continue;
      const { content, children } = tokens[index + 1];
      if (content.length > 60) cell.attrJoin("class", "long");
      for (const child of children) child.meta = { isInTable: true };
    }
    // The corner of a table has no words to be a heading.
    for (const [index, { type }] of tokens.entries())
      if (type === "th_open" && tokens[index + 1].content === "") tokens[index].tag = tokens[index + 2].tag = "td";
  });
  const { image, code_inline: code } = markdown.renderer.rules;
  // Names in tables may break between their words: short ones only on a narrow screen.
  markdown.renderer.rules.code_inline = (tokens, index, ...others) => {
    const html = code(tokens, index, ...others);
    const { content, meta } = tokens[index];
    const mark = content.length > 32 ? "<wbr>" : '<wbr class="only-narrow">';
    const broken = (text) => text.replace(/(?<=[a-z])(?=[A-Z])|(?<=\w[._({/])(?=[A-Za-z])/g, mark);
    return meta?.isInTable ? html.replace(/(?<=>)[^<]+/, broken) : html;
  };
  // The pictures of the inspector exist in both themes.
  markdown.renderer.rules.image = (...parameters) => {
    const html = image(...parameters);
    const themes = html.includes("-light.webp") ? ["light", "dark"] : [];
    const pictures = themes.map((theme) =>
      html.replace("-light.webp", `-${theme}.webp`).replace("<img", `<img class="only-${theme}"`),
    );
    return pictures.join("") || html;
  };
}

/** The names that GitHub gives to headings in links. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

/**
 * Changes to VitePress's search. It cuts what is pasted after 64 characters, which a message with a stack trace has. Its
 * dialog is a button, and its options contain links and are named otherwise than they read: screen readers get a dialog
 * and options that are links.
 */
const SEARCH_CHANGES = [
  [' maxlength="64"', ""],
  ['role="button"', 'role="dialog" aria-modal="true"'],
  [`:aria-owns="results?.length ? 'localsearch-list' : undefined"`, ""],
  ['aria-expanded="true"', ""],
  ['aria-haspopup="listbox"', ""],
  ["<kbd :aria-label", '<kbd role="img" :aria-label'],
  [`:id="'localsearch-item-' + index"`, ""],
  [`:aria-selected="selectedIndex === index ? 'true' : 'false'"`, ""],
  ['role="option"', 'role="presentation"'],
  [
    `:aria-label="[...p.titles, p.title].join(' > ')"`,
    `role="option" :id="'localsearch-item-' + index" :aria-selected="selectedIndex === index"`,
  ],
];

const changedSearch = {
  name: "changed-search",
  enforce: "pre",
  transform: (code, id) => (id.endsWith("/VPLocalSearchBox.vue") ? SEARCH_CHANGES.reduce(changed, code) : undefined),
};

function changed(code, [old, replacement]) {
  if (!code.includes(old)) throw new Error(`VitePress's search has no ${old} to replace.`);
  return code.replaceAll(old, () => replacement);
}

/** @type {import("vitepress").UserConfig} */
export default {
  title: "svc-sdk",
  description: "The typed client, webhook receiver, agent toolsets and local emulator of a tool-access platform",
  srcExclude: ["!({index,README,SECURITY,control-plane,operations,options,terminology}).md", "decisions/**"],
  rewrites: { "guide/README.md": "guide/index.md", "api/README.md": "api/index.md" },
  vite: { plugins: [changedSearch] },
  markdown: { attrs: { allowedAttributes: ["id"] }, anchor: { slugify }, config: extendMarkdown },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/guide/", activeMatch: "^/guide/" },
      { text: "API", link: "/api/", activeMatch: "^/api/" },
      { text: version, link: `${REPOSITORY}/blob/main/CHANGELOG.md` },
    ],
    sidebar: {
      "/": GROUPS.map(({ title, pages }) => ({
        text: title,
        items: pages.map(({ name, path }) => ({ text: name, link: `/${below(path)}` })),
      })),
      "/api/": Object.entries(reference).map(([text, items]) => ({ text, items })),
    },
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        // The button shows its key, so it is named with it.
        translations: { button: { buttonText: "Search ", buttonAriaLabel: "Search K" } },
        // A pasted message finds its fix: headings and long words count most, and words count only as they are written.
        // VitePress sends these functions to the browser, so they use nothing else.
        miniSearch: {
          searchOptions: {
            boost: { title: 10, text: 1, titles: 0.5 },
            boostDocument: (id) => (/\/troubleshooting\.html#(?!more-)/.test(id) ? 4 : id.includes("/api/") ? 0.7 : 1),
            boostTerm: (word) => word.length ** 2,
            fuzzy: (_word, _index, words) => words.length < 5 && 0.2,
            prefix: (_word, _index, words) => words.length < 5,
          },
        },
      },
    },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: "Edit this page" },
  },
  // The theme gives the front page no main part, to which screen readers jump.
  transformHtml: (html) =>
    html.includes("<main") ? html : html.replace('id="VPContent"', 'id="VPContent" role="main"'),
  buildEnd: ({ outDir }) => void execFileSync(process.execPath, ["scripts/llms.mjs", outDir, "--site"]),
};
