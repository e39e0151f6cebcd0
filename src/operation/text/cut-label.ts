import { graphemesOf } from './graphemes.ts';

/** Text of at most `max` code units where a link is none, as on a button: whole characters from its beginning. */
export function cutLabel(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = '';
  for (const character of graphemesOf(text)) {
    if (kept.length + character.length >= max) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}
