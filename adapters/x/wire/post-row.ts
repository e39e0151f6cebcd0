import { z } from 'zod';
import type { Place, Poll } from '#src/social/records/post.ts';
import { count, filled, id, instant, maybe, rowsOf } from './parts.ts';
import { TextEntities } from './text.ts';

const Reference = z.object({ type: maybe(z.string()), id });

const PostMetrics = z
  .object({
    retweet_count: maybe(count),
    repost_count: maybe(count),
    reply_count: maybe(count),
    like_count: maybe(count),
    quote_count: maybe(count),
    bookmark_count: maybe(count),
    impression_count: maybe(count),
  })
  .transform(({ retweet_count: old, repost_count: reposts = old, ...metrics }) => ({ ...metrics, reposts }));

const PrivateMetrics = z.object({
  impression_count: maybe(count),
  url_link_clicks: maybe(count),
  user_profile_clicks: maybe(count),
  engagements: maybe(count),
});

/** A text that is too long for the field `text`. */
const Note = z.object({ text: z.string(), entities: maybe(TextEntities) });

const Annotated = z.object({ id: maybe(id), name: maybe(filled), description: maybe(filled) });
const Annotation = z.object({ domain: Annotated, entity: Annotated });

/** A post in either vocabulary of X. */
export const PostRow = z
  .object({
    id,
    text: z.string().catch(''),
    author_id: maybe(id),
    created_at: maybe(instant),
    conversation_id: maybe(id),
    in_reply_to_user_id: maybe(id),
    referenced_tweets: rowsOf(Reference),
    referenced_posts: rowsOf(Reference),
    attachments: maybe(z.object({ media_keys: rowsOf(id), poll_ids: rowsOf(id) })),
    geo: maybe(z.object({ place_id: maybe(id) })),
    entities: maybe(TextEntities),
    note_tweet: maybe(Note),
    note_post: maybe(Note),
    public_metrics: maybe(PostMetrics),
    non_public_metrics: maybe(PrivateMetrics),
    possibly_sensitive: maybe(z.boolean()),
    lang: maybe(filled),
    reply_settings: maybe(z.string()),
    community_id: maybe(id),
    edit_history_tweet_ids: rowsOf(id),
    edit_history_post_ids: rowsOf(id),
    context_annotations: rowsOf(Annotation),
  })
  .transform(({ referenced_tweets, referenced_posts, note_tweet, note_post, edit_history_tweet_ids, edit_history_post_ids, ...wire }) => ({
    ...wire,
    references: [...referenced_tweets, ...referenced_posts],
    note: note_tweet ?? note_post,
    /** Oldest first; only the id of the post if it was never edited. */
    versions: [...edit_history_tweet_ids, ...edit_history_post_ids],
  }));
export type PostRow = z.output<typeof PostRow>;

/** The id of the post that a post quotes, answers or reposts: `quoted`, `replied_to` or `retweeted`. */
export function referenceOf({ references }: PostRow, ...types: readonly string[]): string | undefined {
  return references.find(({ type }) => type !== undefined && types.includes(type))?.id;
}

const Option = z.object({ position: maybe(count), label: z.string(), votes: maybe(count) });

export const PollRow = z
  .object({ id, options: rowsOf(Option), end_datetime: maybe(instant), duration_minutes: maybe(count), voting_status: maybe(z.string()) })
  .transform((wire) => ({ ...wire, endsAt: wire.end_datetime }));

/** The poll of a post that was created at `createdAt`. */
export function toPoll(row: z.output<typeof PollRow>, createdAt: Date): Poll {
  const options = row.options.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  const votes = options.flatMap(({ votes: count }) => count ?? []);
  return {
    id: row.id,
    options: options.map(({ label, votes: count }, index) => ({ index, label, votes: count })),
    totalVotes: votes.length === options.length ? votes.reduce((sum, count) => sum + count, 0) : undefined,
    endsAt: row.endsAt ?? new Date(createdAt.getTime() + (row.duration_minutes ?? 0) * 60_000),
    closed: row.voting_status === 'closed',
    multiple: false,
  };
}

export const PlaceRow = z
  .object({ id, name: maybe(filled), full_name: maybe(filled), country: maybe(filled), country_code: maybe(filled) })
  .transform((wire): Place => ({
    id: wire.id,
    name: wire.name ?? wire.full_name ?? wire.id,
    fullName: wire.full_name,
    country: wire.country,
    countryCode: wire.country_code,
  }));
