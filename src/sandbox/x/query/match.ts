import { fold, hashtagsIn } from '../../social/hashtags.ts';
import { toUser } from '../../social/user-record.ts';
import type { WorldPerson } from '../../world/world.ts';
import { latestOf, type PostVersion } from '../ids/post-ids.ts';
import { findById, findByUsername } from '../ids/user-ids.ts';
import { isAbout } from '../wire/annotations.ts';
import { linksIn } from '../wire/links.ts';
import { conversationIdOf, referencesOf } from '../wire/post.ts';
import { findReferenced, type View } from '../wire/view.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { Query, Term } from './parse.ts';

/** Whether a post is what a query asks for. */
export function matches(post: StoredPost, query: Query, view: View): boolean {
  switch (query.kind) {
    case 'all':
      return query.parts.every((part) => matches(post, part, view));
    case 'any':
      return query.parts.some((part) => matches(post, part, view));
    case 'not':
      return !matches(post, query.part, view);
    default:
      return hasTerm(latestOf(post), query, view);
  }
}

function hasTerm(version: PostVersion, term: Term, view: View): boolean {
  const { post, text } = version;
  switch (term.kind) {
    case 'words':
      return says(text, term.text);
    case 'hashtag':
      return hashtagsIn(text).has(fold(term.text));
    case 'mention':
      return mentionsOf(text).has(term.text.toLowerCase());
    case 'cashtag':
      return new RegExp(`\\$${term.text}\\b`, 'iu').test(text);
    case 'operator':
      return isSo(post, term, view);
  }
}

function isSo(post: StoredPost, { name, value }: Extract<Term, { readonly kind: 'operator' }>, view: View): boolean {
  const { people, games } = view.moment;
  const person = (): WorldPerson | undefined => findById(value, people) ?? findByUsername(value.replace(/^@/, ''), people);
  const refersTo = (type: string): boolean => referencesOf(post, view).some((each) => each.type === type && each.id === value);
  const author = (storedId: string | undefined): string | undefined =>
    storedId === undefined ? undefined : findReferenced(storedId, view)?.authorId;
  switch (name) {
    case 'from':
      return post.authorId === person()?.id;
    case 'to':
      return post.replyTo !== undefined && author(post.replyTo) === person()?.id;
    case 'retweets_of':
      return post.repostOf !== undefined && author(post.repostOf) === person()?.id;
    case 'conversation_id':
      return conversationIdOf(post, view) === value;
    case 'context':
      return isAbout(post.text, value, games);
    case 'entity':
      return says(post.text, value);
    case 'url':
      return linksIn(post.text).some(({ url }) => url.toLowerCase().includes(value.toLowerCase()));
    case 'in_reply_to_tweet_id':
    case 'in_reply_to_post_id':
      return refersTo('replied_to');
    case 'quotes_of_tweet_id':
    case 'quotes_of_post_id':
      return refersTo('quoted');
    case 'retweets_of_tweet_id':
      return refersTo('retweeted');
    case 'lang':
      return post.language === value;
    case 'is':
      return isKind(post, value, view);
    default:
      return has(post, value);
  }
}

function isKind(post: StoredPost, kind: string, { moment }: View): boolean {
  switch (kind) {
    case 'reply':
      return post.replyTo !== undefined;
    case 'retweet':
      return post.repostOf !== undefined;
    case 'quote':
      return post.quote !== undefined;
    default: {
      const author = moment.people.find(post.authorId);
      return author !== undefined && toUser(author, moment).verified !== 'none';
    }
  }
}

function has({ text, media, place }: StoredPost, what: string): boolean {
  switch (what) {
    case 'media':
      return media.length > 0;
    case 'images':
      return media.some(({ kind }) => kind === 'image');
    case 'videos':
    case 'video_link':
      return media.some(({ kind }) => kind === 'video');
    case 'links':
      return linksIn(text).length > 0;
    case 'hashtags':
      return hashtagsIn(text).size > 0;
    case 'mentions':
      return mentionsOf(text).size > 0;
    case 'cashtags':
      return /\$[A-Za-z]{1,6}\b/.test(text);
    default:
      return place !== undefined;
  }
}

/** The names that a text calls, in lower case. */
export function mentionsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/(?<![\p{L}\p{N}_])@([A-Za-z0-9_]{1,20})/gu)].map(([, name = '']) => name.toLowerCase()));
}

/** Whether a text has these words, and not merely within longer ones. */
function says(text: string, words: string): boolean {
  const [folded, wanted] = [fold(text), fold(words)];
  const inside = /[\p{L}\p{N}_]/u;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const [before, after] = [folded[at - 1] ?? '', folded[at + wanted.length] ?? ''];
    const [first, last] = [wanted[0] ?? '', wanted.at(-1) ?? ''];
    if (!(inside.test(first) && inside.test(before)) && !(inside.test(last) && inside.test(after))) return true;
  }
  return false;
}
