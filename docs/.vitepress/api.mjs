// Options of TypeDoc, which writes the API reference to docs/api as Markdown.
import { resolve } from "node:path";
import { ENTRIES } from "../../scripts/docs/entries.mjs";

/** @type {Partial<import("typedoc").TypeDocOptions & import("typedoc-plugin-markdown").PluginOptions>} */
export default {
  name: "API reference",
  entryPoints: ENTRIES.map(({ declarations }) => resolve(declarations)),
  tsconfig: "tsconfig.json",
  plugin: ["typedoc-plugin-markdown", "./api-plugin.mjs"],
  out: "../api",
  router: "module",
  flattenOutputFiles: true,
  useCustomAnchors: true,
  // Otherwise the class Files has the name of its page.
  anchorPrefix: "api-",
  readme: "none",
  hideBreadcrumbs: true,
  hidePageHeader: true,
  disableSources: true,
  preservedTypeAnnotationTags: ["@throws"],
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  excludeReferences: true,
  sortEntryPoints: false,
  kindSortOrder: ["Class", "Function", "Variable", "Interface", "TypeAlias"],
  groupOrder: ["Operations", "Classes", "Functions", "Variables", "Interfaces", "Type Aliases"],
  classPropertiesFormat: "table",
  interfacePropertiesFormat: "table",
  parametersFormat: "table",
  typeAliasPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  tableColumnSettings: {
    hideDefaults: true,
    hideInherited: true,
    hideModifiers: true,
    hideOverrides: true,
    hideSources: true,
  },
  treatWarningsAsErrors: true,
  // Exports are made of some types that aren't exported. A test reads whether each export has a doc.
  validation: { invalidLink: true, invalidPath: true, notDocumented: false, notExported: false },
};
