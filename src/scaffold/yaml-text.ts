/** Plain words that YAML takes for something else than text. */
const TAKEN = /^(?:true|false|null|yes|no|on|off|~)$/iu;

/** A text as YAML reads it back: plain where that is safe, else in quotes. */
export function yamlText(text: string): string {
  const isPlain = /^[\p{L}][\p{L}\p{N} ._'-]*$/u.test(text) && !text.endsWith(' ') && !TAKEN.test(text);
  return isPlain ? text : JSON.stringify(text);
}
