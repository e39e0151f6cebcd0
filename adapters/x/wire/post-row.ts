import type { z } from 'zod';
import { filledIn, flagIn, instantIn, needed, objectIn, rowOf, rowsIn, textIn } from '#src/http/values.ts';
import type { Place, Poll } from '#src/clients/social/records/post.ts';
import { countIn, idIn } from './parts.ts';
import { entitiesOf } from './text.ts';

function referenceIn(wire: unknown) {
  const row = objectIn(wire);
  const id = idIn(row?.['id']);
  return row && id !== undefined ? { type: textIn(row['type']), id } : undefined;
}

function metricsIn(wire: unknown) {
  const row = objectIn(wire);
  return (
    row && {
      reposts: countIn(row['repost_count']) ?? countIn(row['retweet_count']),
      reply_count: countIn(row['reply_count']),
      like_count: countIn(row['like_count']),
      quote_count: countIn(row['quote_count']),
      bookmark_count: countIn(row['bookmark_count']),
      impression_count: countIn(row['impression_count']),
    }
  );
}

/** A text that is too long for the field `text`. */
function noteIn(wire: unknown) {
  const row = objectIn(wire);
  const text = textIn(row?.['text']);
  return row && text !== undefined ? { text, entities: entitiesOf(row['entities']) } : undefined;
}

function annotatedIn(wire: unknown) {
  const row = objectIn(wire);
  return row && { id: idIn(row['id']), name: filledIn(row['name']), description: filledIn(row['description']) };
}

function annotationIn(wire: unknown) {
  const row = objectIn(wire);
  const [domain, entity] = [annotatedIn(row?.['domain']), annotatedIn(row?.['entity'])];
  return domain && entity && { domain, entity };
}

function attachmentsIn(wire: unknown) {
  const row = objectIn(wire);
  return row && { media_keys: rowsIn(row['media_keys'], idIn), poll_ids: rowsIn(row['poll_ids'], idIn) };
}

/** The rows of a list in either vocabulary of X. */
function bothIn<T>(older: unknown, current: unknown, read: (row: unknown) => T | undefined): readonly T[] {
  const rows = rowsIn(older, read);
  return current === undefined ? rows : [...rows, ...rowsIn(current, read)];
}

/** A post in either vocabulary of X. */
export const PostRow = rowOf((row) => ({
  id: needed(idIn(row['id']), 'id'),
  text: textIn(row['text']) ?? '',
  author_id: idIn(row['author_id']),
  created_at: instantIn(row['created_at']),
  conversation_id: idIn(row['conversation_id']),
  in_reply_to_user_id: idIn(row['in_reply_to_user_id']),
  references: bothIn(row['referenced_tweets'], row['referenced_posts'], referenceIn),
  attachments: attachmentsIn(row['attachments']),
  place_id: idIn(objectIn(row['geo'])?.['place_id']),
  entities: entitiesOf(row['entities']),
  note: noteIn(row['note_tweet']) ?? noteIn(row['note_post']),
  public_metrics: metricsIn(row['public_metrics']),
  possibly_sensitive: flagIn(row['possibly_sensitive']),
  lang: filledIn(row['lang']),
  reply_settings: textIn(row['reply_settings']),
  community_id: idIn(row['community_id']),
  /** Oldest first; only the id of the post if it was never edited. */
  versions: bothIn(row['edit_history_tweet_ids'], row['edit_history_post_ids'], idIn),
  context_annotations: rowsIn(row['context_annotations'], annotationIn),
}));
export type PostRow = z.output<typeof PostRow>;

/** The id of the post that a post quotes, answers or reposts: `quoted`, `replied_to` or `retweeted`. */
export function referenceOf({ references }: PostRow, ...types: readonly string[]): string | undefined {
  if (references.length === 0) return undefined;
  return references.find(({ type }) => type !== undefined && types.includes(type))?.id;
}

function optionIn(wire: unknown) {
  const row = objectIn(wire);
  const label = textIn(row?.['label']);
  return row && label !== undefined ? { position: countIn(row['position']), label, votes: countIn(row['votes']) } : undefined;
}

export const PollRow = rowOf((row) => ({
  id: needed(idIn(row['id']), 'id'),
  options: rowsIn(row['options'], optionIn),
  endsAt: instantIn(row['end_datetime']),
  duration_minutes: countIn(row['duration_minutes']),
  voting_status: textIn(row['voting_status']),
}));
type PollRow = z.output<typeof PollRow>;

/** The poll of a post that was created at `createdAt`. */
export function toPoll(row: PollRow, createdAt: Date): Poll {
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

export const PlaceRow = rowOf((row): Place => {
  const id = needed(idIn(row['id']), 'id');
  const [name, fullName] = [filledIn(row['name']), filledIn(row['full_name'])];
  return { id, name: name ?? fullName ?? id, fullName, country: filledIn(row['country']), countryCode: filledIn(row['country_code']) };
});
