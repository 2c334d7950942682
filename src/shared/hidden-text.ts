/** Invisible characters: control characters, terminal escapes, direction marks, joiners, fillers, blank symbols. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\ufffc]/gu;

/** Characters that look like a space or like nothing, or that every font draws as it likes. */
const UNCLEAR = /(?! )[\p{Zs}\p{Co}]/gu;

/** Escapes every hidden character, as in `\u202e`. In a string literal and in JSON, the value stays the same. */
export function escapeHidden(text: string): string {
  return text.replace(HIDDEN, escaped);
}

/** The same, and for spaces other than the usual one and private characters: for text that a person decides by. */
export function escapeUnclear(text: string): string {
  return escapeHidden(text).replace(UNCLEAR, escaped);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, "0");
    return `\\u${unit}`;
  }).join("");
}

/** Removes hidden characters, for prose. */
export function removeHidden(text: string): string {
  return text.replace(HIDDEN, "");
}
