import { countGraphemes } from '#src/operation/text/graphemes.ts';
import { partsOf } from './parts.ts';

/** What every address counts, however long it is. */
export const CHARACTERS_A_URL = 23;

/** How long a post is to Mastodon: what a reader counts in its warning and its text, without the servers of those whom it calls. */
export function lengthOf({ text, spoilerText }: { readonly text: string; readonly spoilerText: string }): number {
  const counted = partsOf(text).map((part) => {
    if (part.kind === 'url') return 'x'.repeat(CHARACTERS_A_URL);
    return part.kind === 'mention' ? `@${part.username}` : part.text;
  });
  return countGraphemes(spoilerText + counted.join(''));
}
