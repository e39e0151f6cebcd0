/**
 * Control characters, line and paragraph separators, and direction marks. A terminal obeys them, so untrusted text could hide or forge the
 * text around it.
 */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;
const STYLE_OR_UNSEEN = /\p{Cc}\[\d{1,2}m|[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** The terminal styles that Fanfare prints. */
const STYLES: ReadonlySet<string> = new Set([0, 1, 2, 22, 31, 32, 33, 36, 39].map((code) => `\u001B[${code}m`));

/** Writes control characters as escapes, for example `\u009b`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** Prepares lines for a terminal: control characters become escapes, except line breaks, tabs and, with `color`, Fanfare's styles. */
export function visibleLines(text: string, { color }: { readonly color: boolean }): string {
  return text.replace(STYLE_OR_UNSEEN, (found) => {
    if (color && STYLES.has(found)) return found;
    const first = found.charAt(0);
    return first === '\n' || first === '\t' ? found : escaped(first) + found.slice(1);
  });
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
