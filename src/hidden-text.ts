/** What text holds and nobody sees: control characters, escapes for terminals, marks that turn the direction, joiners, fillers. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** With every hidden character written out, as `\u202e`. In a string literal and in JSON it still is the same text. */
export function escapeHidden(text: string): string {
  return text.replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index).toString(16).padStart(4, "0");
      return `\\u${unit}`;
    }).join(""),
  );
}

/** Without hidden characters, for prose. */
export function removeHidden(text: string): string {
  return text.replace(HIDDEN, "");
}
