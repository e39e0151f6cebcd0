import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { invalidParameter } from './problem.ts';

/** The names of X: those since 2020 (`tweet`), or those of the OpenAPI document since August 2026 (`post`). */
export type Vocabulary = 'tweet' | 'post';

/** The newer names by their older names. */
const NEWER: Readonly<Record<string, string>> = {
  edit_history_tweet_ids: 'edit_history_post_ids',
  referenced_tweets: 'referenced_posts',
  'referenced_tweets.id': 'referenced_posts',
  note_tweet: 'note_post',
  pinned_tweet_id: 'pinned_post_id',
  most_recent_tweet_id: 'most_recent_post_id',
  retweet_count: 'repost_count',
  tweet_count: 'post_count',
  tweets: 'posts',
};
const OLDER: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(NEWER).map(([older, newer]) => [newer, older])),
  referenced_posts: 'referenced_tweets',
};
const older = (name: string): string => OLDER[name] ?? name;

/** An answer with the names of a vocabulary. */
export function inVocabulary(answer: JsonObject, vocabulary: Vocabulary): JsonObject {
  return vocabulary === 'tweet' ? answer : renamed(answer);
}

function renamed(value: JsonObject): JsonObject {
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, part]) => [NEWER[name] ?? name, part === undefined ? part : renamedIn(part)]));
}

function renamedIn(value: Json): Json {
  if (isJsonObject(value)) return renamed(value);
  return isJsonList(value) ? value.map(renamedIn) : value;
}

/** The kinds of objects in answers. */
export type Kind = 'tweet' | 'user' | 'media' | 'poll' | 'place' | 'list' | 'dm_event' | 'community';

interface KindFields {
  /** The fields of every answer. */
  readonly always: string;
  readonly onRequest: string;
  /** The fields that only the older vocabulary has. The newer one has expansions instead. */
  readonly older?: string;
}

/** The fields by their older names. */
const FIELDS: Readonly<Record<Kind, KindFields>> = {
  tweet: {
    always: 'id text edit_history_tweet_ids',
    onRequest: `article attachments card_uri community_id context_annotations conversation_id created_at display_text_range edit_controls
      entities geo lang media_metadata non_public_metrics note_tweet organic_metrics paid_partnership possibly_sensitive promoted_metrics
      public_metrics reply_settings scopes source withheld`,
    older: 'author_id edit_history_tweet_ids in_reply_to_user_id referenced_tweets username',
  },
  user: {
    always: 'id name username',
    onRequest: `confirmed_email connection_status created_at description entities is_identity_verified location parody profile_banner_url
      profile_image_url protected public_metrics receives_your_dm subscribes_to_you subscription subscription_type url verified
      verified_followers_count verified_type withheld`,
    older: 'affiliation most_recent_tweet_id pinned_tweet_id',
  },
  media: {
    always: 'media_key type',
    onRequest:
      'alt_text duration_ms height non_public_metrics organic_metrics preview_image_url promoted_metrics public_metrics url variants width',
  },
  poll: { always: 'id options', onRequest: 'duration_minutes end_datetime voting_status' },
  place: { always: 'id full_name', onRequest: 'contained_within country country_code geo name place_type' },
  list: { always: 'id name', onRequest: 'created_at description follower_count member_count private', older: 'owner_id' },
  dm_event: {
    always: 'id event_type text',
    onRequest: 'attachments created_at dm_conversation_id entities',
    older: 'participant_ids referenced_tweets sender_id',
  },
  community: { always: 'id name', onRequest: 'access created_at description join_policy member_count' },
};

const EXPANSIONS = {
  tweet: `attachments.media_keys attachments.poll_ids author_id edit_history_tweet_ids entities.mentions.username geo.place_id
    in_reply_to_user_id referenced_tweets.id referenced_tweets.id.attachments.media_keys referenced_tweets.id.author_id username
    article.cover_media article.media_entities attachments.media_source_tweet entities.note.mentions.username`,
  user: 'affiliation most_recent_tweet_id pinned_tweet_id',
  list: 'owner_id',
  dm_event: 'attachments.media_keys participant_ids referenced_tweets.id sender_id',
} as const;
export type Expandable = keyof typeof EXPANSIONS;

/** The fields and expansions of a request, by their older names. */
export interface Selection {
  readonly expansions: ReadonlySet<string>;
  fields(kind: Kind): ReadonlySet<string>;
}

/** The name of the parameter with the fields of a kind. */
export function fieldParameter(kind: Kind, vocabulary: Vocabulary): string {
  return `${kind === 'tweet' ? vocabulary : kind}.fields`;
}

/** Reads the fields and the expansions of a request. Refuses unknown names. */
export function selectionOf(
  query: URLSearchParams,
  expandable: Expandable | undefined,
  { names: vocabulary, refusedFields }: { readonly names: Vocabulary; readonly refusedFields: readonly string[] },
): Selection {
  const selected = (parameter: string, known: readonly string[]): readonly string[] =>
    split(query.get(parameter) ?? '', ',').map((name) => {
      const isExpansion = parameter === 'expansions' && name === 'referenced_posts';
      const knownName = isExpansion ? 'referenced_tweets.id' : older(name);
      const isOther = vocabulary === 'post' ? name in NEWER || name.startsWith('referenced_tweets') : name in OLDER;
      if (isOther || !known.includes(knownName) || refusedFields.includes(name))
        throw invalidParameter(parameter, name, `is not one of [${known.join(',')}]`);
      return knownName;
    });
  const expansions = new Set(selected('expansions', expandable ? split(EXPANSIONS[expandable]) : []));
  const fields = new Map(
    Object.entries(FIELDS).map(([kind, { always, onRequest, older: olderFields = '' }]) => {
      const gone = vocabulary === 'post' ? split(olderFields) : [];
      const known = split(`${always} ${onRequest} ${olderFields}`).filter((name) => !gone.includes(name));
      const parameter = fieldParameter(kind as Kind, vocabulary); // the keys of FIELDS are the kinds
      return [kind, new Set([...split(always), ...selected(parameter, known)])];
    }),
  );
  return { expansions, fields: (kind) => fields.get(kind) ?? new Set() };
}

function split(text: string, separator: string | RegExp = /\s+/): readonly string[] {
  return text.split(separator).filter((part) => part !== '');
}
