import type { Query } from '#src/http/request-parts.ts';

/**
 * The field parameters, first with the current names (OpenAPI document 2.167), then with the older names of the guides. Responses are read in
 * both vocabularies.
 */
export type Fields = readonly Query[];

const USER = [
  'connection_status',
  'created_at',
  'description',
  'entities',
  'id',
  'location',
  'name',
  'profile_banner_url',
  'profile_image_url',
  'protected',
  'public_metrics',
  'receives_your_dm',
  'url',
  'username',
  'verified',
  'verified_type',
];

const POST = [
  'attachments',
  'community_id',
  'context_annotations',
  'conversation_id',
  'created_at',
  'entities',
  'geo',
  'id',
  'lang',
  'possibly_sensitive',
  'public_metrics',
  'reply_settings',
  'text',
];
/** Fields by their older names. They are expansions now. */
const OLDER_POST = [...POST, 'author_id', 'edit_history_tweet_ids', 'in_reply_to_user_id', 'note_tweet', 'referenced_tweets'];

const MEDIA = ['alt_text', 'duration_ms', 'height', 'media_key', 'preview_image_url', 'type', 'url', 'variants', 'width'];
const MESSAGE = 'attachments,created_at,dm_conversation_id,entities,event_type,id,text';
const LIST = 'created_at,description,follower_count,id,member_count,name,private';

/** The user fields that need a signed-in account. */
export const OF_THE_VIEWER: ReadonlySet<string> = new Set(['connection_status', 'receives_your_dm']);

const CURRENT_USER = { 'user.fields': USER.join(',') };
const OLDER_USER = { 'user.fields': [...USER, 'pinned_tweet_id'].join(',') };

/** For users. */
export const USER_FIELDS: Fields = [{ ...CURRENT_USER, expansions: 'pinned_post_id' }, OLDER_USER];

/** For one user, including one that is read before a write. The default fields are enough for the write. */
export const WRITE_USER_FIELDS: Fields = [...USER_FIELDS, {}];

/** For the authors of posts. */
export const AUTHOR_FIELDS: Fields = [
  { 'post.fields': 'id', expansions: 'author_id', ...CURRENT_USER },
  { 'tweet.fields': 'author_id', expansions: 'author_id', ...OLDER_USER },
];

const BESIDE_POSTS = {
  'user.fields': 'id,name,protected,username',
  'media.fields': MEDIA.join(','),
  'poll.fields': 'duration_minutes,end_datetime,id,options,voting_status',
  'place.fields': 'country,country_code,full_name,id,name',
};

const BOTH_EXPANSIONS = 'attachments.media_keys,attachments.poll_ids,author_id,geo.place_id';
const CURRENT_POST = {
  'post.fields': [...POST, 'note_post'].join(','),
  expansions: `${BOTH_EXPANSIONS},in_reply_to_user_id,referenced_posts`,
  ...BESIDE_POSTS,
};
const OLDER_EXPANSIONS = `${BOTH_EXPANSIONS},referenced_tweets.id,referenced_tweets.id.attachments.media_keys,referenced_tweets.id.author_id`;
const OLDER_POST_FIELDS = { 'tweet.fields': OLDER_POST.join(','), expansions: OLDER_EXPANSIONS, ...BESIDE_POSTS };

/** For posts. */
export const POST_FIELDS: Fields = [CURRENT_POST, OLDER_POST_FIELDS];

/** For one post, with the ids of its versions. An edit needs the id of the latest one. */
export const HISTORY_FIELDS: Fields = [
  { ...CURRENT_POST, expansions: `${CURRENT_POST.expansions},edit_history_post_ids` },
  { ...OLDER_POST_FIELDS, expansions: `${OLDER_EXPANSIONS},edit_history_tweet_ids` },
];

const BESIDE_LISTS = { expansions: 'owner_id', 'user.fields': 'id,name,username' };
/** For lists, including those that are read before a write. The default fields are enough for the write. */
export const LIST_FIELDS: Fields = [{ 'list.fields': LIST, ...BESIDE_LISTS }, { 'list.fields': `${LIST},owner_id`, ...BESIDE_LISTS }, {}];

const BESIDE_MESSAGES = { 'user.fields': 'id,name,username', 'media.fields': MEDIA.join(',') };
export const MESSAGE_FIELDS: Fields = [
  {
    'dm_event.fields': MESSAGE,
    expansions: 'attachments.media_keys,participant_ids,referenced_posts,sender_id',
    ...BESIDE_MESSAGES,
  },
  {
    'dm_event.fields': `${MESSAGE},participant_ids,referenced_tweets,sender_id`,
    expansions: 'attachments.media_keys,participant_ids,referenced_tweets.id,sender_id',
    ...BESIDE_MESSAGES,
  },
];

export const COMMUNITY_FIELDS = { 'community.fields': 'access,created_at,description,id,join_policy,member_count,name' };
