import type { WorldPerson } from '../world/world.ts';
import { fold, hashtagsIn } from './hashtags.ts';
import type { StoredPost } from './posts.ts';

/** Whether a post has the word or the phrase, or, where `keyword` begins with #, the very hashtag. */
export function says({ text }: Pick<StoredPost, 'text'>, keyword: string): boolean {
  const wanted = fold(keyword);
  return wanted.startsWith('#') ? hashtagsIn(text).has(wanted) : fold(text).includes(wanted);
}

/** Whether somebody is called so, or says it of themselves. */
export function isAbout({ handle, displayName, bio }: WorldPerson, keyword: string): boolean {
  const wanted = fold(keyword.replace(/^@/, ''));
  return [handle, displayName, bio].some((text) => fold(text).includes(wanted));
}
