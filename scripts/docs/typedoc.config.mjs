// The site: what the package exports, as it is published, and what people read. Run with npm run docs.
import { resolve } from "node:path";
import { nameHeadings } from "./accessible.mjs";
import { ENTRIES } from "./entries.mjs";
import { GUIDES, TASKS } from "./outline.mjs";

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  name: "svc-sdk",
  includeVersion: true,
  entryPoints: ENTRIES.map(({ declarations }) => resolve(declarations)),
  tsconfig: "tsconfig.json",
  plugin: ["./plugin.mjs"],
  out: resolve("docs-site"),
  readme: resolve("README.md"),
  projectDocuments: GUIDES.map(({ path }) => resolve(path)),
  disableSources: true,
  hideGenerator: true,
  githubPages: false,
  headings: { readme: false, document: false },
  customCss: "./site.css",
  customJs: "./site.js",
  markdownItLoader: nameHeadings,

  excludePrivate: true,
  excludeInternal: true,
  categorizeByGroup: false,
  categoryOrder: ["Guides", "Look up", "Reference", "The project", ...TASKS.map(({ task }) => task)],
  sortEntryPoints: false,
  sort: ["kind", "alphabetical-ignoring-documents"],
  kindSortOrder: ["Document", "Module", "Class", "Function", "Variable", "Interface", "TypeAlias", "Reference"],
  navigation: { includeCategories: true, includeGroups: false, includeFolders: false, excludeReferences: true },

  blockTags: [
    "@category",
    "@default",
    "@deprecated",
    "@param",
    "@remarks",
    "@request",
    "@returns",
    "@spec",
    "@throws",
    "@typeParam",
    "@example",
    "@see",
  ],
  treatWarningsAsErrors: true,
  // The report in scripts/api covers types that exports use without exporting them, and the docs of functions and
  // members.
  validation: { notExported: false, invalidLink: true, invalidPath: true, notDocumented: true },
  requiredToBeDocumented: ["Class", "Interface", "TypeAlias", "Variable"],
};
