/** A part of a pattern. */
export type Part =
  /** Matches one character: a literal, a class, an escape. */
  | { readonly kind: "character"; readonly source: string }
  | { readonly kind: "sequence"; readonly parts: readonly Part[] }
  | { readonly kind: "choice"; readonly parts: readonly Part[] }
  | { readonly kind: "repeat"; readonly part: Part; readonly least: number; readonly most: number }
  | { readonly kind: "edge"; readonly at: "^" | "$" | "b" | "B" }
  | { readonly kind: "lookaround"; readonly part: Part; readonly isBehind: boolean; readonly isNegative: boolean };

/** A pattern that isn't supported, and why. */
export class UnsupportedPattern extends Error {}

/** Maximum depth of groups. Real patterns stay below. */
const DEEPEST = 100;

/**
 * An unclosed token extends to the end. It is rejected anyway, and searching its end at every place would be quadratic.
 */
const TOKEN =
  /\\(?:u\{[^}]*(?:\}|$)|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*(?:\}|$)|k<[^>]*(?:>|$)|[1-9]\d*|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*(?:\]|\\?$)|\(\?(?:<?[=!]|:|<[^>]*(?:>|$))|\((?!\?)|\{\d+(?:,\d*)?\}\??|[*+?]\??|[\s\S]/gu;

/**
 * Parses a pattern as JavaScript does with the `u` flag. Escapes that stand for themselves in every language, such as
 * `\-`, are allowed too.
 *
 * @throws {UnsupportedPattern} for invalid JavaScript, and for references to groups, which can't be matched in linear
 * time.
 */
export function parsePattern(source: string): Part {
  const tokens = (source.match(TOKEN) ?? []).map(plainEscape);
  const plain = tokens.join("");
  try {
    new RegExp(plain, "u");
  } catch {
    throw new UnsupportedPattern("it isn't a valid JavaScript pattern");
  }
  return new Reader(tokens).choice(0);
}

/**
 * Escapes such as `\-` outside a class and `\_`. JavaScript rejects them with the `u` flag, other languages allow them.
 */
function plainEscape(token: string): string {
  if (token.startsWith("["))
    return token.replace(/\\([\s\S])/gu, (whole, escaped) => (isPlain(escaped, "-") ? escaped : whole));
  return token.length === 2 && token.startsWith("\\") && isPlain(token.charAt(1), "") ? token.charAt(1) : token;
}

function isPlain(character: string, besides: string): boolean {
  return !/[\w^$\\.*+?()[\]{}|/]/.test(character) && character <= "~" && !besides.includes(character);
}

class Reader {
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  choice(depth: number): Part {
    if (depth > DEEPEST) throw new UnsupportedPattern("its groups are nested too deeply");
    const parts = [this.#sequence(depth)];
    while (this.#tokens[this.#next] === "|") {
      this.#next += 1;
      parts.push(this.#sequence(depth));
    }
    const [only] = parts;
    return parts.length === 1 && only ? only : { kind: "choice", parts };
  }

  #sequence(depth: number): Part {
    const parts: Part[] = [];
    for (;;) {
      const token = this.#tokens[this.#next];
      if (token === undefined || token === "|" || token === ")") return { kind: "sequence", parts };
      this.#next += 1;
      parts.push(this.#repeated(this.#part(token, depth)));
    }
  }

  #repeated(part: Part): Part {
    const token = this.#tokens[this.#next] ?? "";
    const [, sign, least, comma, most] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/.exec(token) ?? [];
    if (sign === undefined && least === undefined) return part;
    this.#next += 1;
    if (sign !== undefined) {
      return { kind: "repeat", part, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
    }
    const bound = comma === "" ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: "repeat", part, least: Number(least), most: bound };
  }

  #part(token: string, depth: number): Part {
    if (token === "^" || token === "$") return { kind: "edge", at: token };
    if (token === "\\b" || token === "\\B") return { kind: "edge", at: token === "\\b" ? "b" : "B" };
    if (/^\\(?:[1-9]|k)/.test(token)) throw new UnsupportedPattern("it refers back to a group");
    if (!token.startsWith("(")) return { kind: "character", source: token };
    // Newer engines support `(?i:…)`.
    if (token === "(" && this.#tokens[this.#next]?.startsWith("?")) throw new UnsupportedPattern("it changes flags");
    const part = this.choice(depth + 1);
    // Skip the closing parenthesis. A valid pattern has one.
    this.#next += 1;
    const [, behind, sign] = /^\(\?(<?)([=!])$/.exec(token) ?? [];
    if (sign === undefined) return part;
    return { kind: "lookaround", part, isBehind: behind === "<", isNegative: sign === "!" };
  }
}
