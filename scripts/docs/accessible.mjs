// What TypeDoc's pages lack for those who read them with a keyboard or a screen reader. TypeDoc has no options for it;
// axe checks the result in test/site.

/** Each with what it replaces. */
const CHANGES = [
  // Screen readers jump to the main part.
  [/<div class="col-content">/, '<div class="col-content" role="main">'],
  [/<div class="page-menu">/, '<div class="page-menu" role="complementary" aria-label="This page">'],
  // No heading skips a level.
  [/<h5 class="tsd-index-heading uppercase">(.*?)<\/h5>/g, '<h2 class="tsd-index-heading uppercase">$1</h2>'],
  [/(<summary[^>]*>(?:<svg.*?<\/svg>\s*)?)<h3>(.*?)<\/h3>/g, "$1<h2>$2</h2>"],
  [/<h1[\s\S]*?(?=<h[23])/, (head) => head.replaceAll(/<(\/?)h4\b/g, "<$1h2")],
  // The corner of a table has no words to be a heading.
  [/<th( [^>]*)?><\/th>/g, "<td$1></td>"],
  // A summary opens and closes its part: a link inside can't be reached. The list of contents has it too.
  [/<summary[\s\S]*?<\/summary>/g, (summary) => summary.replace(/<a [^>]*tsd-anchor-icon[\s\S]*?<\/a>/g, "")],
];

/** The HTML of a page, changed. */
export function accessible(html) {
  return CHANGES.reduce((changed, [pattern, replacement]) => changed.replace(pattern, replacement), html);
}

/**
 * Lets headings with code have a name in the list of contents and in links: TypeDoc reads only their text. Takes a
 * markdown-it.
 */
export function nameHeadings(parser) {
  parser.core.ruler.push("name_headings", ({ tokens }) => {
    for (const [index, { type }] of tokens.entries()) {
      if (type !== "heading_open") continue;
      for (const child of tokens[index + 1].children) if (child.type === "code_inline") child.type = "text";
    }
  });
}
