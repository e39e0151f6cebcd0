import type { WorldPerson } from '../world/world.ts';
import type { StoredPost } from './posts.ts';

/** Whether a post has the word or the phrase, or, where `keyword` begins with #, the very hashtag. */
export function says({ text }: StoredPost, keyword: string): boolean {
  const [wanted, said] = [fold(keyword), fold(text)];
  if (!wanted.startsWith('#')) return said.includes(wanted);
  return said.matchAll(/#[\p{L}\p{N}_]+/gu).some(([tag]) => tag === wanted);
}

/** Whether somebody is called so, or says it of themselves. */
export function isAbout({ handle, displayName, bio }: WorldPerson, keyword: string): boolean {
  const wanted = fold(keyword.replace(/^@/, ''));
  return [handle, displayName, bio].some((text) => fold(text).includes(wanted));
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
