/** A parameter without a default. */
export const REQUIRED = Symbol('required');
/** A parameter whose default is that it is absent. */
const NONE = undefined;

/** The description of an operation in a document, with the names of the document. */
export interface MissionOperation {
  readonly name: string;
  /** By name: the default. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The result: a container with its items, or a record. */
  readonly returns: string;
  /** Whether it is listed with a twin that goes page by page. */
  readonly iter: boolean;
  /** Which parameters take more than a text: numbers and records. */
  readonly forms: Readonly<Record<string, readonly string[]>>;
}

const P = { pages: 1, wait_time: 2, cursor: NONE };
/** The parameters that every list has. */
export const PARAMETERS_OF_A_WALK: readonly string[] = Object.keys(P);
const user = ['str', 'int', 'User'];
const post = ['str', 'int', 'Post'];
const list = ['int', 'str', 'UserList'];
const conversation = ['int', 'str', 'Conversation', 'User'];

type Rest = { readonly iter?: boolean; readonly forms?: MissionOperation['forms'] };

function operation(
  name: string,
  parameters: MissionOperation['parameters'],
  returns: string,
  { iter = false, forms = {} }: Rest = {},
): MissionOperation {
  return { name, parameters, returns, iter, forms };
}

function ofUser(name: string, returns: string, more: MissionOperation['parameters'] = {}): MissionOperation {
  return operation(name, { username: REQUIRED, ...more, ...P }, returns, { iter: true, forms: { username: user } });
}

function ofPost(name: string, returns: string, more: MissionOperation['parameters'] = {}, forms = post): MissionOperation {
  return operation(name, { post_id: REQUIRED, ...more, ...P }, returns, { iter: true, forms: { post_id: forms } });
}

function aboutUser(name: string, returns = 'User'): MissionOperation {
  return operation(name, { user_id: REQUIRED }, returns, { forms: { user_id: user } });
}

function toPost(name: string, returns = 'boolean', more: MissionOperation['parameters'] = {}): MissionOperation {
  return operation(name, { post_id: REQUIRED, ...more }, returns, { forms: { post_id: post } });
}

const game = { forms: { game: ['str', 'int', 'Game'] }, iter: true };

/** The operations of `Bot`. The generator of game streams, printed under the name of another, is `iter_game_streams`. */
export const botOperations: readonly MissionOperation[] = [
  operation('get_user', { username: REQUIRED }, 'User'),
  operation('get_user_videos', { username: REQUIRED, sort: 'TIME', ...P }, 'UserVideos of Video', { iter: true }),
  operation('get_user_clips', { username: REQUIRED, sort: 'TIME', ...P }, 'UserClips of Clip', { iter: true }),
  operation('search', { keyword: REQUIRED, filter_: 'SearchStreams', ...P }, 'Search of Stream | User | Game | Video', { iter: true }),
  operation('get_top_streams', { tags: NONE, ...P }, 'TopStreams of Stream', { iter: true }),
  operation('get_top_games', { tags: NONE, ...P }, 'TopGames of Game', { iter: true }),
  operation('get_game_streams', { game: REQUIRED, tags: NONE, sort: 'VIEWER_COUNT', ...P }, 'GameStreams of Stream', game),
  operation('get_game_clips', { game: REQUIRED, sort: 'VIEWER_COUNT', languages: NONE, ...P }, 'GameClips of Clip', game),
  operation('get_game_videos', { game: REQUIRED, sort: 'VIEWER_COUNT', languages: NONE, ...P }, 'GameVideos of Video', game),
];

const users: readonly MissionOperation[] = [
  operation('get_user_info', { username: NONE }, 'User | User[]', { forms: { username: ['str', 'int'] } }),
  operation('get_user_id', { username: REQUIRED }, 'string'),
  ofUser('get_posts', 'UserPosts of Post', { replies: false }),
  ofUser('get_user_media', 'UserMedia of Post'),
  ofUser('get_user_highlights', 'UserHighlights of Post'),
  ofUser('get_user_followers', 'UserFollowers of User'),
  ofUser('get_user_followings', 'UserFollowings of User'),
  ofUser('get_user_subscribers', 'UserSubscribers of User'),
  ofUser('get_mutual_followers', 'MutualFollowers of User'),
  operation('get_blocked_users', P, 'BlockedUsers of User', { iter: true }),
  operation('get_suggested_users', {}, 'User[]'),
  aboutUser('follow_user'),
  aboutUser('unfollow_user'),
  aboutUser('block_user'),
  aboutUser('unblock_user'),
  aboutUser('enable_user_notification', 'boolean'),
  aboutUser('disable_user_notification', 'boolean'),
];

const timelines: readonly MissionOperation[] = [
  operation('search', { keyword: REQUIRED, filter_: NONE, ...P }, 'Search of Post | User', { iter: true }),
  operation('get_trends', {}, 'Trends[]'),
  operation('get_home_timeline', { timeline_type: 'HomeTimeline', ...P }, 'SelfTimeline of Post', { iter: true }),
  operation('get_mentions', P, 'Mention of Post', { iter: true }),
  operation('get_bookmarks', P, 'Bookmarks of Post', { iter: true }),
  operation('get_post_notifications', P, 'PostNotifications of Post', { iter: true }),
  operation('search_gifs', { search_term: REQUIRED, ...P }, 'GifSearch of Gif', { iter: true }),
];

const createPost = {
  text: REQUIRED,
  files: NONE,
  filter_: NONE,
  reply_to: NONE,
  quote: NONE,
  pool: NONE,
  place: NONE,
  batch_compose: false,
  community_id: NONE,
  post_on_timeline: false,
};
const createPostForms = {
  reply_to: ['str', 'Post'],
  quote: ['str', 'Post'],
  place: ['str', 'Place'],
  community_id: ['str', 'int', 'Community'],
};

const posts: readonly MissionOperation[] = [
  operation('post_detail', { identifier: REQUIRED }, 'Post'),
  ofPost('get_post_likes', 'PostLikes of User', {}, ['str', 'Post']),
  ofPost('get_post_reposts', 'PostReposts of User', {}, ['str', 'Post']),
  ofPost('get_post_quotes', 'Search of User', {}, ['str', 'Post']),
  ofPost('get_post_comments', 'PostComments of ConversationThread', { get_hidden: false }),
  operation('create_post', createPost, 'Post', { forms: createPostForms }),
  toPost('delete_post'),
  toPost('like_post'),
  toPost('unlike_post'),
  toPost('repost_post'),
  toPost('delete_repost'),
  toPost('pin_post'),
  toPost('unpin_post'),
  toPost('get_post_analytics', 'PostAnalytics'),
  toPost('translate_post', 'PostTranslate', { language: REQUIRED }),
  operation('post_edit_history', { identifier: REQUIRED }, 'PostHistory', { forms: { identifier: post } }),
  operation('get_scheduled_posts', {}, 'ScheduledPosts of ScheduledPost'),
  operation('delete_scheduled_post', { post_id: REQUIRED }, 'boolean', { forms: { post_id: ['str', 'int', 'ScheduledPost'] } }),
];

const messages: readonly MissionOperation[] = [
  operation('get_inbox', { user_id: NONE, pages: 1, wait_time: 2 }, 'Inbox of Conversation', { iter: true, forms: { user_id: user } }),
  operation('get_conversation', { conversation_id: REQUIRED, max_id: NONE }, 'Conversation', { forms: { conversation_id: conversation } }),
  operation(
    'send_message',
    { username: REQUIRED, text: REQUIRED, file: NONE, in_group: false, reply_to_message_id: NONE, audio_only: false, quote_post_id: NONE },
    'Message',
    { forms: { username: user, reply_to_message_id: ['int', 'str', 'Message'], quote_post_id: post } },
  ),
  // The conversation may be left out of a call where a message as a record says it; a rule always names it.
  operation('send_message_reaction', { reaction_emoji: REQUIRED, message_id: REQUIRED, conversation_id: REQUIRED }, 'boolean', {
    forms: { message_id: ['str', 'int', 'Message'], conversation_id: conversation },
  }),
];

const communities: readonly MissionOperation[] = [
  operation('get_community', { community_id: REQUIRED }, 'Community', { forms: { community_id: ['str', 'int'] } }),
  operation('get_community_posts', { community_id: REQUIRED, filter_: NONE, ...P }, 'CommunityPosts of Post', {
    iter: true,
    forms: { community_id: ['int', 'str', 'Community'] },
  }),
  operation('get_community_members', { community_id: REQUIRED, filter_: NONE, ...P }, 'CommunityMembers of User', {
    iter: true,
    forms: { community_id: ['int', 'str', 'Community'] },
  }),
];

const listAndUser = { list_id: REQUIRED, user_id: REQUIRED };

const lists: readonly MissionOperation[] = [
  operation('get_lists', P, 'Lists of UserList', { iter: true }),
  operation('create_list', { name: REQUIRED, description: '', is_private: false }, 'UserList'),
  operation('delete_list', { list_id: REQUIRED }, 'boolean', { forms: { list_id: list } }),
  operation('get_list', { list_id: REQUIRED }, 'UserList', { forms: { list_id: ['int', 'str'] } }),
  operation('get_list_posts', { list_id: REQUIRED, ...P }, 'ListPosts of Post', { iter: true, forms: { list_id: list } }),
  operation('get_list_member', { list_id: REQUIRED, ...P }, 'ListMembers of User', { iter: true, forms: { list_id: list } }),
  operation('add_list_member', listAndUser, 'UserList', { forms: { list_id: list, user_id: user } }),
  operation('remove_list_member', listAndUser, 'UserList', { forms: { list_id: list, user_id: user } }),
  operation('get_topic', { topic_id: REQUIRED }, 'Topic', { forms: { topic_id: ['int', 'str'] } }),
  operation('get_topic_posts', { topic_id: REQUIRED, replies: false, ...P }, 'TopicPosts of Post', {
    iter: true,
    forms: { topic_id: ['str', 'int', 'Topic'] },
  }),
];

const assistant: readonly MissionOperation[] = [
  operation('create_assistant_conversation', {}, 'string'),
  operation('get_assistant_conversation', { conversation_id: REQUIRED }, 'AssistantConversation', {
    forms: { conversation_id: ['str', 'int'] },
  }),
  operation('get_assistant_response', { text: REQUIRED, conversation_id: NONE }, '[AssistantMessage, AssistantConversation]', {
    forms: { conversation_id: ['str', 'int', 'AssistantConversation'] },
  }),
];

/** The operations of `SocialAsync`. */
export const socialOperations = { users, timelines, posts, messages, communities, lists, assistant };
