import ts from "typescript";

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*(?:\n\s*\/\/.*)*/g;
const FENCE = /^([ *]*)```.*\n[\s\S]*?^\1```/gm;
const INLINE_CODE = /`[^`\n]*`/g;
const LINK_TARGET = /\]\([^)]*\)/g;

/** A file in which everything that isn't prose is blank, so that places stay the same. */
export function proseOf(path: string, text: string): string {
  if (path.endsWith(".md")) return withoutCode(text);
  if (path.endsWith(".dot")) return text.replaceAll("\\n", "  ");
  const parts = partsOf(path, text);
  return replaced(text, parts, withoutCode, blank);
}

type Part = readonly [from: number, to: number];

/** The strings of tests quote servers and users. */
function partsOf(path: string, text: string): Part[] {
  if (/\.test(-d)?\.ts$/.test(path)) return titlesOf(path, text);
  const { comments, strings } = commentsAndStringsOf(path, text);
  return path.startsWith("test/") ? comments : [...comments, ...strings];
}

/** Titles of tests. Comments and strings of tests quote servers and users. */
function titlesOf(path: string, text: string): Part[] {
  const titles: Part[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(test|it|describe)\b/.test(text.slice(node.expression.getStart(), node.end))) {
      const [title] = node.arguments;
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) titles.push(partOf(title));
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(path, text));
  return titles;
}

function commentsAndStringsOf(path: string, text: string): { comments: Part[]; strings: Part[] } {
  const literals: Part[] = [];
  const strings: Part[] = [];
  const visit = (node: ts.Node): void => {
    if (isString(node)) strings.push(partOf(node));
    if (isString(node) || ts.isRegularExpressionLiteral(node)) literals.push(partOf(node));
    ts.forEachChild(node, visit);
  };
  visit(parse(path, text));
  const code = replaced(text, literals, blank);
  const comments = [...code.matchAll(COMMENT)].map(({ index, 0: { length } }) => [index, index + length] as const);
  // A string of one word is a name, mostly one of the service's.
  return { comments, strings: strings.filter(([from, to]) => text.slice(from, to).includes(" ")) };
}

type TextNode = ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail;

function isString(node: ts.Node): node is TextNode {
  return (
    ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)
  );
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, /x$/.test(path) ? ts.ScriptKind.TSX : undefined);
}

function partOf(node: ts.Node): Part {
  return [node.getStart(), node.end];
}

/** A text with its parts, and what is between them, replaced by strings of the same length. */
function replaced(
  text: string,
  parts: readonly Part[],
  part: (text: string) => string,
  between: (text: string) => string = (same) => same,
): string {
  const pieces: string[] = [];
  let end = 0;
  for (const [from, to] of parts.toSorted(([one], [other]) => one - other)) {
    pieces.push(between(text.slice(end, from)), part(text.slice(from, to)));
    end = to;
  }
  return [...pieces, between(text.slice(end))].join("");
}

function withoutCode(text: string): string {
  return text.replaceAll(FENCE, blank).replaceAll(INLINE_CODE, masked).replaceAll(LINK_TARGET, masked);
}

function blank(text: string): string {
  return text.replaceAll(/\S/g, " ");
}

/** Unlike blanks, it keeps the words before and after it apart. */
function masked(text: string): string {
  return text.replaceAll(/\S/g, "#");
}
