import { stretchesOf } from './urls.ts';

/** A piece of a text: an address, a hashtag, somebody who is called, or what is none of them. */
export type Part =
  | { readonly kind: 'text' | 'url' | 'hashtag'; readonly text: string }
  | { readonly kind: 'mention'; readonly text: string; readonly username: string; readonly domain: string | undefined };

const WORD = String.raw`\p{L}\p{M}\p{N}_`;
const MENTION = String.raw`(?<![=/${WORD}@])@(?<username>[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)(?:@(?<domain>[${WORD}]+(?:[.-]+[${WORD}]+)*(?::\d+)?))?`;
const HASHTAG = String.raw`(?<![=/)${WORD}#])#(?<tag>[${WORD}]*[\p{L}\p{M}_][${WORD}]*)`;
const ENTITY = new RegExp(`${MENTION}|${HASHTAG}`, 'giu');

/** A text in its pieces; together they are the text. */
export function partsOf(text: string): readonly Part[] {
  return stretchesOf(text).flatMap((one): readonly Part[] => (one.isUrl ? [{ kind: 'url', text: one.text }] : wordsOf(one.text)));
}

function wordsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: found, index, groups: { username, domain } = {} } of text.matchAll(ENTITY)) {
    if (index > from) parts.push({ kind: 'text', text: text.slice(from, index) });
    parts.push(username === undefined ? { kind: 'hashtag', text: found } : { kind: 'mention', text: found, username, domain });
    from = index + found.length;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}
