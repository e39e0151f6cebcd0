import { fold, hashtagsIn } from '../../social/hashtags.ts';
import { mostLikedFirst } from '../../social/most-liked.ts';
import type { StoredPost } from '../../social/posts.ts';
import { says } from '../../social/search.ts';
import { isOnTimeline } from '../../social/visibility.ts';
import { objectsAt, textAt } from '../repo/references.ts';
import { mentions } from '../view/gates.ts';
import type { Look } from '../view/look.ts';
import { invalidRequest } from '../xrpc/refusal.ts';

/** What posts are looked for. Of several people, hashtags or languages one is enough unless `allHashtags` says otherwise. */
export interface Wish {
  readonly text: string;
  readonly sort: 'top' | 'latest';
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly authors: readonly string[];
  readonly mentions: readonly string[];
  readonly languages: readonly string[];
  readonly domains: readonly string[];
  readonly urls: readonly string[];
  readonly hashtags: readonly string[];
  readonly allHashtags?: boolean | undefined;
  readonly excludeAuthors?: readonly string[] | undefined;
  readonly excludeHashtags?: readonly string[] | undefined;
  readonly hasMedia?: boolean | undefined;
  readonly hasVideo?: boolean | undefined;
  readonly following?: boolean | undefined;
  readonly excludeReplies?: boolean | undefined;
  readonly repliesOnly?: boolean | undefined;
  readonly replyParentUri?: string | undefined;
  readonly threadRootUri?: string | undefined;
}

/** The posts that fit, in the order that was asked for. */
export function searched(wish: Wish, look: Look): readonly StoredPost[] {
  const { moment, viewer } = look;
  const terms = termsOf(wish.text);
  const authors = peopleOf([...wish.authors, ...terms.authors], look);
  const excluded = peopleOf(wish.excludeAuthors ?? [], look);
  const named = peopleOf([...wish.mentions, ...terms.mentions], look);
  const [sinceMs, untilMs] = [instantOf(wish.since ?? terms.since), instantOf(wish.until ?? terms.until)];
  const tags = wish.hashtags.map(tagOf);
  const notTags = (wish.excludeHashtags ?? []).map(tagOf);
  const linked = [...wish.domains, ...wish.urls];

  function fits(post: StoredPost): boolean {
    const { authorId, createdAtMs, language, replyTo, text } = post;
    const has = hashtagsIn(text);
    return (
      isOnTimeline(post) &&
      terms.words.every((word) => says(post, word)) &&
      (authors === undefined || authors.includes(authorId)) &&
      !excluded?.includes(authorId) &&
      (sinceMs === undefined || createdAtMs >= sinceMs) &&
      (untilMs === undefined || createdAtMs < untilMs) &&
      (wish.languages.length === 0 || wish.languages.includes(language)) &&
      (tags.length === 0 || (wish.allHashtags ? tags.every((tag) => has.has(tag)) : tags.some((tag) => has.has(tag)))) &&
      !notTags.some((tag) => has.has(tag)) &&
      (!wish.hasMedia || post.media.length > 0) &&
      (!wish.hasVideo || post.media.some(({ kind }) => kind === 'video')) &&
      (!wish.following || moment.relations.follows(viewer.id, authorId)) &&
      (!wish.excludeReplies || replyTo === undefined) &&
      (!wish.repliesOnly || replyTo !== undefined) &&
      saysInRecord(post)
    );
  }

  /** What only the record tells; it is made for no post that something else excludes. */
  function saysInRecord(post: StoredPost): boolean {
    const { replyParentUri, threadRootUri } = wish;
    if (named === undefined && linked.length === 0 && replyParentUri === undefined && threadRootUri === undefined) return true;
    const { record } = look.bluesky.posts.of(post);
    const dids = named?.map((id) => look.bluesky.directory.didOf({ id })) ?? [];
    const links = objectsAt(record, 'facets').flatMap((facet) =>
      objectsAt(facet, 'features').map((feature) => textAt(feature, 'uri') ?? ''),
    );
    const addresses = [...links, textAt(record, 'embed', 'external', 'uri') ?? ''];
    return (
      (named === undefined || dids.some((did) => mentions(record, did))) &&
      (linked.length === 0 || linked.some((part) => addresses.some((address) => address.includes(part)))) &&
      (replyParentUri === undefined || textAt(record, 'reply', 'parent', 'uri') === replyParentUri) &&
      (threadRootUri === undefined || textAt(record, 'reply', 'root', 'uri') === threadRootUri)
    );
  }

  const found = moment.feed.all().filter(fits);
  return wish.sort === 'top' ? mostLikedFirst(found, moment) : found;
}

interface Terms {
  readonly words: readonly string[];
  readonly authors: readonly string[];
  readonly mentions: readonly string[];
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** A search as people type it: words, "a phrase", `#tag`, `from:ada.bsky.social`, `mentions:`, `since:`, `until:`. */
function termsOf(text: string): Terms {
  const terms = [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, phrase, word]) => ({ phrase, word: word ?? '' }));
  const named = (name: string): readonly string[] =>
    terms.flatMap(({ word }) => (word.startsWith(`${name}:`) && word.length > name.length + 1 ? [word.slice(name.length + 1)] : []));
  const isNamed = (word: string): boolean => /^(from|mentions|since|until):./.test(word);
  return {
    words: terms.flatMap(({ phrase, word }) => phrase ?? (isNamed(word) ? [] : [word])),
    authors: named('from'),
    mentions: named('mentions'),
    since: named('since')[0],
    until: named('until')[0],
  };
}

/** Their ids on the stage; undefined where nobody is asked for. */
function peopleOf(names: readonly string[], { bluesky, viewer }: Look): readonly string[] | undefined {
  if (names.length === 0) return undefined;
  return names.flatMap((name) => (name === 'me' ? viewer.id : (bluesky.directory.find(name.replace(/^@/, ''))?.id ?? [])));
}

function instantOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw invalidRequest(`not a datetime: ${text}`, 'BadQueryString');
  return atMs;
}

function tagOf(name: string): string {
  return `#${fold(name).replace(/^#/, '')}`;
}
