import { invalidParameter } from '../problem.ts';
import { isNewer, isOlder, newerName, olderName, type Names, type Vocabulary } from './vocabulary.ts';

/** What an answer is made of. */
export type Kind = 'tweet' | 'user' | 'media' | 'poll' | 'place' | 'list' | 'dm_event' | 'community';

/** The fields of each, by their older names; the first ones come unasked. */
const FIELDS: Readonly<Record<Kind, { readonly unasked: readonly string[]; readonly asked: readonly string[] }>> = {
  tweet: {
    unasked: ['id', 'text', 'edit_history_tweet_ids'],
    asked: words(`article attachments author_id card_uri community_id context_annotations conversation_id created_at display_text_range
      edit_controls entities geo in_reply_to_user_id lang media_metadata non_public_metrics note_tweet organic_metrics paid_partnership
      possibly_sensitive promoted_metrics public_metrics referenced_tweets reply_settings scopes source username withheld matched_media_notes
      note_request_suggestions suggested_source_links suggested_source_links_with_counts article_title`),
  },
  user: {
    unasked: ['id', 'name', 'username'],
    asked:
      words(`affiliation confirmed_email connection_status created_at description entities is_identity_verified location most_recent_tweet_id
      parody pinned_tweet_id profile_banner_url profile_image_url protected public_metrics receives_your_dm subscribes_to_you subscription
      subscription_type url verified verified_followers_count verified_type withheld`),
  },
  media: {
    unasked: ['media_key', 'type'],
    asked:
      words(`alt_text duration_ms height non_public_metrics organic_metrics preview_image_url promoted_metrics public_metrics url variants
      width`),
  },
  poll: { unasked: ['id', 'options'], asked: ['duration_minutes', 'end_datetime', 'voting_status'] },
  place: { unasked: ['id', 'full_name'], asked: ['contained_within', 'country', 'country_code', 'geo', 'name', 'place_type'] },
  list: { unasked: ['id', 'name'], asked: words('created_at description follower_count member_count owner_id private') },
  dm_event: {
    unasked: ['id', 'event_type', 'text'],
    asked: words('attachments created_at dm_conversation_id entities participant_ids referenced_tweets sender_id'),
  },
  community: { unasked: ['id', 'name'], asked: words('access created_at description join_policy member_count') },
};

/** Fields of the older vocabulary, by older name, that the newer one has as expansions only. */
const ONLY_EXPANSIONS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  tweet: words('author_id edit_history_tweet_ids in_reply_to_user_id referenced_tweets username'),
  user: words('affiliation most_recent_tweet_id pinned_tweet_id'),
  list: ['owner_id'],
  dm_event: words('participant_ids referenced_tweets sender_id'),
};

const EXPANSIONS = {
  tweet:
    words(`article.cover_media article.media_entities attachments.media_keys attachments.media_source_tweet attachments.poll_ids author_id
    edit_history_tweet_ids entities.mentions.username geo.place_id in_reply_to_user_id entities.note.mentions.username referenced_tweets.id
    referenced_tweets.id.attachments.media_keys referenced_tweets.id.author_id username`),
  user: words('affiliation most_recent_tweet_id pinned_tweet_id'),
  list: ['owner_id'],
  dm_event: words('attachments.media_keys participant_ids referenced_tweets.id sender_id'),
  none: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type Expandable = keyof typeof EXPANSIONS;

/** What a request wants to see of what it gets, by the older names. */
export interface Asked {
  readonly vocabulary: Vocabulary;
  readonly expansions: ReadonlySet<string>;
  /** The unasked ones with them. */
  fields(kind: Kind): ReadonlySet<string>;
}

/** The parameters that ask for fields of these kinds. */
export function fieldParameters(kinds: readonly Kind[], names: Names): readonly string[] {
  const ofPosts = names === 'asked' ? ['tweet.fields', 'post.fields'] : [`${names}.fields`];
  return kinds.flatMap((kind) => (kind === 'tweet' ? ofPosts : [`${kind}.fields`]));
}

/** What the query asks for; refuses what there is not. */
export function askedOf(query: URLSearchParams, expandable: Expandable, names: Names): Asked {
  const given = (name: string): readonly string[] => (query.get(name) ?? '').split(',').filter((part) => part !== '');
  const expansions = given('expansions');
  const expandables: readonly string[] = EXPANSIONS[expandable];
  const expanded = expansions.map((name) => {
    const older = name === 'referenced_posts' ? 'referenced_tweets.id' : olderName(name);
    if (expandables.includes(older) && isAccepted(name, names)) return older;
    throw invalidParameter('expansions', name, `is not one of [${inNames(expandables, names).join(',')}]`);
  });
  const isPost = query.has('post.fields') || expansions.some(isNewer) || given('user.fields').some(isNewer);

  const wanted = new Map<Kind, ReadonlySet<string>>();
  for (const kind of Object.keys(FIELDS) as Kind[]) {
    // the keys are the kinds
    const { unasked, asked } = FIELDS[kind];
    const gone = names === 'post' ? (ONLY_EXPANSIONS[kind] ?? []) : [];
    const known = [...unasked, ...asked].filter((name) => !gone.includes(name));
    const fields = fieldParameters([kind], names).flatMap((parameter) =>
      given(parameter).map((name) => checked(name, { parameter, known, names })),
    );
    wanted.set(kind, new Set([...unasked, ...fields]));
  }
  const requested: Vocabulary = isPost ? 'post' : 'tweet';
  return {
    vocabulary: names === 'asked' ? requested : names,
    expansions: new Set(expanded),
    fields: (kind) => wanted.get(kind) ?? new Set(),
  };
}

interface Known {
  readonly parameter: string;
  /** By their older names. */
  readonly known: readonly string[];
  readonly names: Names;
}

function checked(name: string, { parameter, known, names }: Known): string {
  const older = olderName(name);
  if (known.includes(older) && isAccepted(name, names)) return older;
  throw invalidParameter(parameter, name, `is not one of [${inNames(known, names).toSorted().join(',')}]`);
}

/** Whether a name belongs to what is accepted. */
function isAccepted(name: string, names: Names): boolean {
  if (names === 'post') return !isOlder(name) && !name.startsWith('referenced_tweets');
  return names === 'asked' || !isNewer(name);
}

function inNames(known: readonly string[], names: Names): readonly string[] {
  return names === 'post' ? known.filter((name) => !name.startsWith('referenced_tweets.id.')).map(newerName) : known;
}

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}
