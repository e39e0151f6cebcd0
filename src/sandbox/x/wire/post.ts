import type { Json, JsonObject } from '#src/operation/json.ts';
import { analyticsOf } from '../../social/analytics.ts';
import { conversationOf } from '../../social/conversations.ts';
import { toPost } from '../../social/records.ts';
import type { StoredPost } from '../../social/posts.ts';
import { firstId, postId, type PostVersion } from '../ids/post-ids.ts';
import { communityId } from '../ids/list-ids.ts';
import { lowOf, snowflake } from '../ids/snowflake.ts';
import { userId } from '../ids/user-ids.ts';
import { fieldNotAuthorized } from '../problem.ts';
import { annotationsOf } from './annotations.ts';
import { wireText, type Appended, type WireText } from './text.ts';
import { findReferenced, instant, made, referenceId, type Makers, type View } from './view.ts';

/** How long, and how often, a post can be edited. */
export const EDITABLE_MS = 30 * 60_000;
const MOST_EDITS = 5;
/** So much of a post shows in the text of a repost. */
const LONGEST_REPOST = 140;

const SETTINGS: Readonly<Record<NonNullable<StoredPost['audience']>, string>> = {
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
  attachments: ({ media, post }, view) => attachmentsOf({ media, post }, view),
  author_id: ({ post }) => userId({ id: post.authorId }),
  community_id: ({ post }, { moment }) => {
    const community = post.community === undefined ? undefined : moment.communities.find(post.community);
    return community && communityId(community);
  },
  context_annotations: ({ text }, { moment }) => absentIfEmpty(annotationsOf(text, moment.games)),
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
  possibly_sensitive: () => false,
  public_metrics: ({ post }, view) => publicMetrics(post, view),
  non_public_metrics: (version, view) => ownMetrics('non_public_metrics', version, view),
  organic_metrics: (version, view) => ownMetrics('organic_metrics', version, view),
  referenced_tweets: ({ post }, view) => absentIfEmpty(referencesOf(post, view)),
  reply_settings: ({ post }) => (post.audience === undefined ? 'everyone' : SETTINGS[post.audience]),
  source: () => 'X Web App',
};

/** A post with what was asked of it. */
export function toTweet(version: PostVersion, view: View): JsonObject {
  return made(makers, version, { kind: 'tweet', view, also: [...view.asked.expansions].flatMap((expansion) => NEEDED[expansion] ?? []) });
}

/** The field that an expansion is made of comes with it. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  author_id: ['author_id'],
  'attachments.media_keys': ['attachments'],
  'attachments.poll_ids': ['attachments'],
  'entities.mentions.username': ['entities'],
  'geo.place_id': ['geo'],
  in_reply_to_user_id: ['in_reply_to_user_id'],
  'referenced_tweets.id': ['referenced_tweets'],
  'referenced_tweets.id.author_id': ['referenced_tweets'],
  'referenced_tweets.id.attachments.media_keys': ['referenced_tweets'],
};

/** The text of a version as X hands it out. */
export function textOf({ text, media, post, id }: PostVersion, view: View): WireText {
  const { people } = view.moment;
  if (post.repostOf !== undefined) {
    const subject = findReferenced(post.repostOf, view);
    const author = subject && people.find(subject.authorId);
    const whole = Array.from(`RT @${author?.handle ?? ''}: ${text}`);
    return wireText(whole.length > LONGEST_REPOST ? `${whole.slice(0, LONGEST_REPOST - 1).join('')}…` : whole.join(''), { people });
  }
  const author = people.find(post.authorId);
  const kind = media[0]?.kind === 'image' ? 'photo' : 'video';
  const files = media.map((one): Appended => {
    const url = `https://x.com/${author?.handle}/status/${id}/${kind}/1`;
    return { url, shown: `pic.x.com/${id.slice(-10)}`, mediaKey: view.media.keyOf(one, post) };
  });
  return wireText(text, { people, appended: [...quotedAddress(post, view), ...files.slice(0, 1)] });
}

function quotedAddress(post: StoredPost, view: View): readonly Appended[] {
  const quoted = post.quote === undefined ? undefined : findReferenced(post.quote, view);
  const author = quoted && view.moment.people.find(quoted.authorId);
  if (!quoted || !author) return [];
  const url = `https://x.com/${author.handle}/status/${postId(quoted)}`;
  return [{ url, shown: `x.com/${author.handle}/status…` }];
}

/** What a post answers, quotes or passes on. */
export function referencesOf(
  { replyTo, quote, repostOf }: StoredPost,
  view: View,
): readonly { readonly type: string; readonly id: string }[] {
  if (repostOf !== undefined) return reference('retweeted', repostOf, view);
  return [...reference('replied_to', replyTo, view), ...reference('quoted', quote, view)];
}

function reference(type: string, storedId: string | undefined, view: View): readonly { readonly type: string; readonly id: string }[] {
  const id = storedId === undefined ? undefined : referenceId(storedId, view);
  return id === undefined ? [] : [{ type, id }];
}

/** The id of the conversation that a post is in. */
export function conversationIdOf(post: StoredPost, view: Pick<View, 'moment' | 'meeting'>): string {
  if (post.repostOf !== undefined) return firstId(post);
  const root = findReferenced(conversationOf(post, view.moment.feed), view);
  return firstId(root ?? post);
}

export function pollIdOf({ id, createdAtMs }: StoredPost): string {
  return snowflake(createdAtMs, lowOf(`poll ${id}`));
}

/** Whether X lets a post of this kind be edited. */
export function isEditable({ poll, community, repostOf, replyTo, earlier }: StoredPost): boolean {
  return poll === undefined && community === undefined && repostOf === undefined && replyTo === undefined && earlier.length < MOST_EDITS;
}

function attachmentsOf({ media, post }: Pick<PostVersion, 'media' | 'post'>, view: View): JsonObject | undefined {
  // What a repost passes on has them, not the repost.
  if (post.repostOf !== undefined || (media.length === 0 && !post.poll)) return undefined;
  return {
    ...(media.length > 0 ? { media_keys: media.map((one) => view.media.keyOf(one, post)) } : {}),
    ...(post.poll ? { poll_ids: [pollIdOf(post)] } : {}),
  };
}

function publicMetrics(post: StoredPost, { moment }: View): JsonObject {
  const { counts } = toPost(post, moment);
  return {
    retweet_count: counts.reposts,
    reply_count: counts.replies,
    like_count: counts.likes,
    quote_count: counts.quotes,
    bookmark_count: counts.bookmarks ?? 0,
    impression_count: analyticsOf(post, moment).impressions ?? 0,
  };
}

function ownMetrics(field: string, { post, id }: PostVersion, { moment, viewer, errors }: View): JsonObject | undefined {
  if (viewer?.id !== post.authorId) {
    errors.push(fieldNotAuthorized(field, id));
    return undefined;
  }
  const { impressions = 0, profileClicks = 0, urlClicks = 0, engagements = 0, likes, replies, reposts } = analyticsOf(post, moment);
  const clicks = { impression_count: impressions, user_profile_clicks: profileClicks, url_link_clicks: urlClicks };
  return field === 'organic_metrics'
    ? { ...clicks, like_count: likes, reply_count: replies, retweet_count: reposts }
    : { ...clicks, engagements };
}

function absentIfEmpty(list: readonly Json[]): readonly Json[] | undefined {
  return list.length > 0 ? list : undefined;
}
