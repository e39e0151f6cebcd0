import type { UserList } from '#src/clients/social/records/discovery.ts';
import type { Message } from '#src/clients/social/records/message.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { User } from '#src/clients/social/records/user.ts';
import { PNG } from '../../support/media-files.ts';
import type { Answered, Changing } from '../table.ts';
import { ALL } from '../../support/sandbox-people.ts';
import type { World } from './world.ts';

type OfUser = Readonly<Record<'user_id', string>>;
type OfPost = Readonly<Record<'post_id', string>>;
type OfList = Readonly<Record<'list_id' | 'user_id', string>>;

/** The operations of the document that read or create. */
export function answered(world: World): Readonly<Record<string, Answered>> {
  const { social, post, hidden, foreign, list, star, message, group, conversation, video } = world;
  const ofUser: Answered = { args: { username: star }, other: { username: 'ada' }, same: { username: `@${star.toUpperCase()}` } };
  const ofAda: Answered = { args: { username: 'ada' }, other: { username: star }, same: { username: '@ADA' } };
  const ofPost: Answered = { args: { post_id: post.id }, other: { post_id: foreign }, same: { post_id: post.url } };
  const ofList: Answered = { args: { list_id: list.id }, other: { list_id: 'none' } };
  const none: Answered = { args: {}, other: {} };
  const record = <T extends { readonly id: string }>(record: T, omit: readonly string[] = []): unknown =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !['id', 'url', 'conversationId', ...omit].includes(name)));
  return {
    get_user_info: { ...ofAda, holds: { handle: 'ada', viewer: { following: true } } },
    get_user_id: ofAda,
    get_posts: { ...ofAda, other: { username: star, replies: true } },
    get_user_media: ofAda,
    get_user_highlights: { ...ofAda, short: true },
    get_user_followers: { ...ofUser, most: 3 },
    get_user_followings: { ...ofUser, args: { username: 'fanfare' }, same: {} },
    get_user_subscribers: { ...ofUser, other: { username: 'grace' } },
    get_mutual_followers: ofUser,
    get_blocked_users: none,
    get_suggested_users: {
      ...none,
      async seen(users: readonly User[]) {
        const [first] = users;
        if (first) await social.blockUser(first);
        const others = await social.getSuggestedUsers();
        if (first) await social.unblockUser(first);
        return { count: users.length, isStillSuggested: others.some(({ id }) => id === first?.id) };
      },
      holds: { count: 20, isStillSuggested: false },
    },
    search: { most: 3, args: { keyword: 'the' }, other: { keyword: 'glitch', filter_: 'Latest' } },
    get_trends: { ...none, seen: (trends: readonly unknown[]) => trends.length, holds: 20 },
    get_home_timeline: { most: 3, args: {}, other: { timeline_type: 'HomeLatestTimeline' } },
    get_mentions: none,
    get_bookmarks: none,
    get_post_notifications: none,
    search_gifs: { args: { search_term: 'd' }, other: { search_term: 'cat' } },
    post_detail: {
      args: { identifier: post.id },
      other: { identifier: foreign },
      same: { identifier: post.url },
      holds: { text: post.text, counts: { likes: 23, reposts: 23, quotes: 23, replies: 47 } },
    },
    get_post_likes: ofPost,
    get_post_reposts: ofPost,
    get_post_quotes: ofPost,
    get_post_comments: { ...ofPost, other: { post_id: foreign, get_hidden: true } },
    create_post: {
      args: { text: 'A post' },
      other: {
        text: 'Another',
        files: [{ base64: PNG.toString('base64'), altText: 'A card' }],
        filter_: 'Followers',
        reply_to: hidden,
        quote: hidden,
        pool: { options: ['Chess', 'Go'], durationMinutes: 120, multiple: true },
        place: 'nairobi',
        batch_compose: true,
        community_id: 'speedrunners',
        post_on_timeline: true,
      },
      given: { batch_compose: { reply_to: foreign }, post_on_timeline: { community_id: 'speedrunners' } },
      seen: async (created: Post) => ({
        post: record(await social.postDetail(created)),
        isOnTimeline: (await social.getPosts('fanfare', { replies: true })).items.some(({ id }) => id === created.id),
      }),
      holds: { post: { text: 'A post', replyAudience: 'everyone' }, isOnTimeline: true },
    },
    get_post_analytics: { ...ofPost, holds: { likes: 23, reposts: 23, quotes: 23, replies: 47 } },
    translate_post: {
      args: { post_id: post.id, language: 'de' },
      other: { post_id: foreign, language: 'fr' },
      same: { post_id: post.url },
    },
    post_edit_history: { args: { identifier: post.id }, other: { identifier: foreign }, same: { identifier: post.url } },
    get_scheduled_posts: none,
    get_inbox: { args: {}, other: { user_id: 'ada' } },
    get_conversation: {
      args: { conversation_id: 'ada' },
      other: { conversation_id: group, max_id: message.id },
      same: { conversation_id: message.conversationId },
      seen: ({ messages }: { readonly messages: unknown }) => messages,
      holds: [{ text: 'Line 1' }, { text: 'Line 2' }],
    },
    send_message: {
      args: { username: 'ada', text: 'A message' },
      other: {
        username: 'grace',
        text: 'Another',
        file: video,
        in_group: true,
        reply_to_message_id: message.id,
        audio_only: true,
        quote_post_id: foreign,
      },
      given: { in_group: { username: group }, audio_only: { file: video } },
      seen: async ({ id, conversationId }: Message) => {
        const { kind, participants, messages = [] } = await social.getConversation(conversationId);
        return [kind, participants, ...messages.flatMap((one) => (one.id === id ? [record(one)] : []))];
      },
    },
    get_community: { args: { community_id: 'valorant-nights' }, other: { community_id: 'summit-climbers' } },
    get_community_posts: {
      args: { community_id: 'summit-climbers' },
      other: { community_id: 'valorant-nights', filter_: 'Top' },
    },
    get_community_members: {
      args: { community_id: 'valorant-nights' },
      other: { community_id: 'summit-climbers', filter_: 'Mods' },
    },
    get_lists: none,
    create_list: {
      args: { name: 'Chess' },
      other: { name: 'Go', description: 'Players', is_private: true },
      seen: async (created: UserList) => record(await social.getList(created)),
    },
    get_list: ofList,
    get_list_posts: ofList,
    get_list_member: ofList,
    get_topic: { args: { topic_id: 'glitch' }, other: { topic_id: 'speedrun' }, same: { topic_id: '#Glitch' } },
    get_topic_posts: { args: { topic_id: 'glitch' }, other: { topic_id: 'speedrun', replies: true }, same: { topic_id: '#Glitch' } },
    create_assistant_conversation: { ...none, seen: async (id: string) => (await social.getAssistantConversation(id)).messages, holds: [] },
    get_assistant_conversation: {
      args: { conversation_id: conversation },
      other: { conversation_id: 'none' },
      holds: { id: conversation, messages: [{ role: 'user', text: 'Do you like chess?' }, { role: 'assistant' }] },
    },
    get_assistant_response: {
      args: { text: 'Who is live?' },
      other: { text: 'Who is live with VALORANT?', conversation_id: conversation },
      seen: async ([{ text }, { messages }]: readonly [
        { readonly text: string },
        { readonly messages: readonly { readonly text: string }[] },
      ]) => [text, ...messages.map((one) => one.text)],
    },
  };
}

/** The operations of the document that change a state, and the state. */
export function changing(world: World): Readonly<Record<string, Changing>> {
  const { social, foreign, hidden, lists, message, groupMessage, mine, scheduled, strangers } = world;
  const unused = strangers.values();
  const users = (): Pick<Changing, 'args' | 'other'> => ({
    args: { user_id: unused.next().value ?? '' },
    other: { user_id: unused.next().value ?? '' },
  });
  const others = { args: { post_id: foreign }, other: { post_id: hidden.id } };
  const own = { args: { post_id: mine[0] }, other: { post_id: mine[1] } };
  const member = { args: { list_id: lists[0], user_id: unused.next().value }, other: { list_id: lists[1], user_id: unused.next().value } };

  const relation =
    (name: 'following' | 'blocking' | 'notifying') =>
    async ({ user_id }: OfUser): Promise<boolean | undefined> =>
      (await social.getUserInfo(user_id)).viewer?.[name];
  const reaction =
    (name: 'liked' | 'reposted' | 'pinned') =>
    async ({ post_id }: OfPost): Promise<boolean | undefined> =>
      (await social.postDetail(post_id)).viewer?.[name];
  const exists = (read: Promise<unknown>): Promise<boolean> =>
    read.then(
      () => true,
      () => false,
    );
  const isThere = ({ post_id }: OfPost): Promise<boolean> => exists(social.postDetail(post_id));
  const isMember = async ({ list_id, user_id }: OfList): Promise<boolean> =>
    (await social.getListMember(list_id, ALL)).items.some(({ handle }) => handle === user_id);
  return {
    follow_user: { ...users(), state: relation('following'), becomes: true },
    unfollow_user: {
      ...users(),
      first: ({ user_id }: OfUser) => social.followUser(user_id),
      state: relation('following'),
      becomes: false,
    },
    block_user: { ...users(), state: relation('blocking'), becomes: true },
    unblock_user: { ...users(), first: ({ user_id }: OfUser) => social.blockUser(user_id), state: relation('blocking'), becomes: false },
    enable_user_notification: { ...users(), state: relation('notifying'), becomes: true },
    disable_user_notification: {
      ...users(),
      first: ({ user_id }: OfUser) => social.enableUserNotification(user_id),
      state: relation('notifying'),
      becomes: false,
    },
    delete_post: { args: { post_id: mine[2] }, other: { post_id: mine[3] }, state: isThere, becomes: false },
    like_post: { ...others, state: reaction('liked'), becomes: true },
    unlike_post: { ...others, first: ({ post_id }: OfPost) => social.likePost(post_id), state: reaction('liked'), becomes: false },
    repost_post: { ...others, state: reaction('reposted'), becomes: true },
    delete_repost: { ...others, first: ({ post_id }: OfPost) => social.repostPost(post_id), state: reaction('reposted'), becomes: false },
    pin_post: { ...own, state: reaction('pinned'), becomes: true },
    unpin_post: { ...own, first: ({ post_id }: OfPost) => social.pinPost(post_id), state: reaction('pinned'), becomes: false },
    delete_scheduled_post: {
      args: { post_id: scheduled[0]?.id },
      other: { post_id: scheduled[1]?.id },
      state: async ({ post_id }: OfPost) => (await social.getScheduledPosts()).items.some(({ id }) => id === post_id),
      becomes: false,
    },
    send_message_reaction: {
      args: { reaction_emoji: '👍', message_id: message.id, conversation_id: 'ada' },
      other: { reaction_emoji: '🎉', message_id: world.second.id, conversation_id: groupMessage.conversationId },
      given: { conversation_id: { message_id: groupMessage.id } },
      state: async ({
        reaction_emoji,
        message_id,
        conversation_id,
      }: Record<'reaction_emoji' | 'message_id' | 'conversation_id', string>) => {
        const { messages = [] } = await social.getConversation(conversation_id);
        return messages.some(({ id, reactions }) => id === message_id && reactions.some(({ emoji }) => emoji === reaction_emoji));
      },
      becomes: true,
    },
    delete_list: {
      args: { list_id: lists[2] },
      other: { list_id: lists[3] },
      state: ({ list_id }: OfList) => exists(social.getList(list_id)),
      becomes: false,
    },
    add_list_member: { ...member, state: isMember, becomes: true },
    remove_list_member: {
      ...member,
      first: ({ list_id, user_id }: OfList) => social.addListMember(list_id, user_id),
      state: isMember,
      becomes: false,
    },
  };
}
