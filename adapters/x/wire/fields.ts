/**
 * What is asked for beside ids. The names are the older ones, which all of X's documentation has; what is read takes the newer ones, too.
 */
const USER = [
  'connection_status',
  'created_at',
  'description',
  'entities',
  'id',
  'location',
  'name',
  'pinned_tweet_id',
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
  'author_id',
  'community_id',
  'context_annotations',
  'conversation_id',
  'created_at',
  'edit_history_tweet_ids',
  'entities',
  'geo',
  'id',
  'in_reply_to_user_id',
  'lang',
  'note_tweet',
  'possibly_sensitive',
  'public_metrics',
  'referenced_tweets',
  'reply_settings',
  'text',
];

const MEDIA = ['alt_text', 'duration_ms', 'height', 'media_key', 'preview_image_url', 'type', 'url', 'variants', 'width'];

/** What only a signed-in account may ask of a user. */
export const OF_THE_VIEWER: ReadonlySet<string> = new Set(['connection_status', 'receives_your_dm']);

/** For requests that answer with users. */
export const USER_FIELDS = { 'user.fields': USER.join(',') };

/** For requests that answer with posts. */
export const POST_FIELDS = {
  'tweet.fields': POST.join(','),
  expansions: [
    'attachments.media_keys',
    'attachments.poll_ids',
    'author_id',
    'geo.place_id',
    'referenced_tweets.id',
    'referenced_tweets.id.attachments.media_keys',
    'referenced_tweets.id.author_id',
  ].join(','),
  'user.fields': 'id,name,protected,username',
  'media.fields': MEDIA.join(','),
  'poll.fields': 'duration_minutes,end_datetime,id,options,voting_status',
  'place.fields': 'country,country_code,full_name,id,name',
};

export const LIST_FIELDS = {
  'list.fields': 'created_at,description,follower_count,id,member_count,name,owner_id,private',
  expansions: 'owner_id',
  'user.fields': 'id,name,username',
};

export const MESSAGE_FIELDS = {
  'dm_event.fields': 'attachments,created_at,dm_conversation_id,entities,event_type,id,participant_ids,referenced_tweets,sender_id,text',
  expansions: 'attachments.media_keys,participant_ids,referenced_tweets.id,sender_id',
  'user.fields': 'id,name,username',
  'media.fields': MEDIA.join(','),
};

export const COMMUNITY_FIELDS = { 'community.fields': 'access,created_at,description,id,join_policy,member_count,name' };
