import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { analyticsOf } from '../social/analytics.ts';
import { conversationOf } from '../social/conversations.ts';
import { fold, hashtagOf, hashtagsIn } from '../social/hashtags.ts';
import type { StoredPost } from '../social/posts.ts';
import { toPost } from '../social/records.ts';
import type { WorldGame } from '../world/world.ts';
import type { Kind } from './fields.ts';
import { communityId, firstId, lowBitsOf, postId, snowflake, userId, type PostVersion } from './ids.ts';
import type { XRequest } from './request.ts';
import { wireText, type Appended, type WireText } from './text.ts';

/** The request that an answer is made for. */
export type View = Pick<XRequest, 'snapshot' | 'written' | 'directMessages' | 'viewer' | 'selection' | 'xMedia' | 'findPost'>;

/** The fields of a kind. Only selected fields are made. */
export type Makers<T> = Readonly<Record<string, (item: T, view: View) => JsonObject[string]>>;

/** An object with the selected fields and those that an expansion needs. */
export function made<T>(makers: Makers<T>, item: T, kind: Kind, view: View, needed: readonly string[] = []): JsonObject {
  const selected = new Set([...view.selection.fields(kind), ...needed]);
  const fields = Object.entries(makers).flatMap(([name, make]) => {
    const value = selected.has(name) ? make(item, view) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(fields);
}

/** A post by its stored name, even after it was deleted. */
export function findReferenced(storedId: string, { snapshot, written }: Pick<View, 'snapshot' | 'written'>): StoredPost | undefined {
  return snapshot.feed.find(storedId) ?? written.find(storedId);
}

export const instant = (atMs: number): string => new Date(atMs).toISOString();

/** Posts can be edited for this time. */
export const EDITABLE_MS = 30 * 60_000;
const MOST_EDITS = 5;
/** The text of a repost shows this many characters. */
const LONGEST_REPOST = 140;

const REPLY_SETTINGS: Readonly<Record<NonNullable<StoredPost['audience']>, string>> = {
  ByInvitation: 'mentionedUsers',
  Community: 'following',
  Subscribers: 'subscribers',
  Verified: 'verified',
  Followers: 'other',
  Nobody: 'other',
};

const makers: Makers<PostVersion> = {
  id: ({ id }) => id,
  text: (version, view) => textOf(version, view).text,
  edit_history_tweet_ids: ({ history }) => history,
  attachments: (version, view) => attachmentsOf(version, view),
  author_id: ({ post }) => userId({ id: post.authorId }),
  community_id: ({ post }, { snapshot }) => {
    const community = post.community === undefined ? undefined : snapshot.communities.find(post.community);
    return community && communityId(community);
  },
  context_annotations: ({ text }, { snapshot }) =>
    absentIfEmpty(gamesIn(text, snapshot.games).map(({ id, name }) => ({ domain: VIDEO_GAMES, entity: { id, name } }))),
  conversation_id: ({ post }, view) => conversationIdOf(post, view),
  created_at: ({ post }) => instant(post.createdAtMs),
  display_text_range: (version, view) => [...textOf(version, view).range],
  edit_controls: ({ post }) => ({
    edits_remaining: MOST_EDITS - post.earlier.length,
    is_edit_eligible: isEditable(post),
    editable_until: instant(post.createdAtMs + EDITABLE_MS),
  }),
  entities: (version, view) => textOf(version, view).entities,
  geo: ({ post }) => (post.place === undefined ? undefined : { place_id: post.place }),
  in_reply_to_user_id: ({ post }, view) => {
    const parent = post.replyTo === undefined ? undefined : findReferenced(post.replyTo, view);
    return parent && userId({ id: parent.authorId });
  },
  lang: ({ post }) => post.language,
  possibly_sensitive: ({ media }) => media.some(({ sensitive }) => sensitive === true),
  public_metrics: ({ post }, { snapshot }) => {
    const { counts } = toPost(post, snapshot);
    return {
      retweet_count: counts.reposts,
      reply_count: counts.replies,
      like_count: counts.likes,
      quote_count: counts.quotes,
      bookmark_count: counts.bookmarks ?? 0,
      impression_count: analyticsOf(post, snapshot).impressions ?? 0,
    };
  },
  referenced_tweets: ({ post }, view) => absentIfEmpty(referencesOf(post, view)),
  reply_settings: ({ post }) => (post.audience === undefined ? 'everyone' : REPLY_SETTINGS[post.audience]),
  source: () => 'X Web App',
};

/** The fields that an expansion needs. */
const NEEDED: Readonly<Record<string, string>> = {
  author_id: 'author_id',
  'attachments.media_keys': 'attachments',
  'attachments.poll_ids': 'attachments',
  'entities.mentions.username': 'entities',
  'geo.place_id': 'geo',
  in_reply_to_user_id: 'in_reply_to_user_id',
  'referenced_tweets.id': 'referenced_tweets',
  'referenced_tweets.id.author_id': 'referenced_tweets',
  'referenced_tweets.id.attachments.media_keys': 'referenced_tweets',
};

export function toTweet(version: PostVersion, view: View): JsonObject {
  return made(
    makers,
    version,
    'tweet',
    view,
    [...view.selection.expansions].flatMap((expansion) => NEEDED[expansion] ?? []),
  );
}

/** The text of a version with the links that X adds. */
export function textOf({ text, media, post, id }: PostVersion, view: View): WireText {
  const { people } = view.snapshot;
  if (post.repostOf !== undefined) {
    const original = findReferenced(post.repostOf, view);
    const whole = Array.from(`RT @${(original && people.find(original.authorId)?.handle) ?? ''}: ${text}`);
    return wireText(whole.length > LONGEST_REPOST ? `${whole.slice(0, LONGEST_REPOST - 1).join('')}…` : whole.join(''), people);
  }
  const author = people.find(post.authorId);
  const files = media.slice(0, 1).map((file): Appended => {
    const url = `https://x.com/${author?.handle}/status/${id}/${file.kind === 'image' ? 'photo' : 'video'}/1`;
    return { url, shown: `pic.x.com/${id.slice(-10)}`, mediaKey: view.xMedia.keyOf(file, post) };
  });
  const quoted = post.quote === undefined ? undefined : findReferenced(post.quote, view);
  const handle = quoted && people.find(quoted.authorId)?.handle;
  const links =
    !quoted || handle === undefined ? [] : [{ url: `https://x.com/${handle}/status/${postId(quoted)}`, shown: `x.com/${handle}/status…` }];
  return wireText(text, people, [...links, ...files]);
}

interface Reference extends JsonObject {
  readonly type: string;
  readonly id: string;
}

/** The posts that a post answers, quotes or reposts. */
export function referencesOf({ replyTo, quote, repostOf }: StoredPost, view: View): readonly Reference[] {
  const reference = (type: string, storedId: string | undefined): readonly Reference[] => {
    const post = storedId === undefined ? undefined : findReferenced(storedId, view);
    return post ? [{ type, id: postId(post) }] : [];
  };
  if (repostOf !== undefined) return reference('retweeted', repostOf);
  return [...reference('replied_to', replyTo), ...reference('quoted', quote)];
}

export function conversationIdOf(post: StoredPost, view: View): string {
  const root = post.repostOf === undefined ? findReferenced(conversationOf(post, view.snapshot.feed), view) : undefined;
  return firstId(root ?? post);
}

export function pollIdOf({ id, createdAtMs }: StoredPost): string {
  return snowflake(createdAtMs, lowBitsOf(`poll ${id}`));
}

/** Whether X allows edits of a post. */
export function isEditable({ poll, community, repostOf, replyTo, earlier }: StoredPost): boolean {
  return poll === undefined && community === undefined && repostOf === undefined && replyTo === undefined && earlier.length < MOST_EDITS;
}

function attachmentsOf({ media, post }: PostVersion, view: View): JsonObject | undefined {
  // The attachments belong to the original of a repost.
  if (post.repostOf !== undefined || (media.length === 0 && !post.poll)) return undefined;
  return {
    ...(media.length > 0 && { media_keys: media.map((one) => view.xMedia.keyOf(one, post)) }),
    ...(post.poll && { poll_ids: [pollIdOf(post)] }),
  };
}

function absentIfEmpty(list: readonly Json[]): readonly Json[] | undefined {
  return list.length > 0 ? list : undefined;
}

const VIDEO_GAMES = { id: '71', name: 'Video Game', description: 'Video games, past and present' } as const;

/** The games whose name or hashtag is in a text. */
function gamesIn(text: string, games: readonly WorldGame[]): readonly WorldGame[] {
  const [folded, tags] = [fold(text), hashtagsIn(text)];
  return games.filter((game) => tags.has(fold(hashtagOf(game))) || folded.includes(fold(game.name)));
}

/** Whether a text is about a context such as `71.516575`: a domain and an entity. */
export function isAbout(text: string, context: string, games: readonly WorldGame[]): boolean {
  const [domain = '', entity = ''] = context.split('.');
  return domain === VIDEO_GAMES.id && gamesIn(text, games).some(({ id }) => entity === '*' || entity === id);
}
