/** A record that must be public before the assistant reads data about it. */
export type Subject = 'post' | 'list' | 'user' | 'community';

/** A read that the assistant may use for everyone. */
export interface OfferedRead {
  /** The description for the model. */
  readonly about: string;
  /** The subject of the answer, if the answer does not contain its visibility, and the parameter that names it. */
  readonly of?: { readonly subject: Subject; readonly parameter: string } | undefined;
}

/**
 * The reads that the assistant has as tools, by verb. The assistant answers in public, so it only has reads of public data. See
 * docs/decisions/0015-what-the-assistant-may-do.md.
 */
export const OFFERED: Readonly<Record<string, OfferedRead>> = {
  'streaming.getUser': { about: 'One channel of the streaming platform, by its name.' },
  'streaming.getTeamMembers': { about: 'The channels of a team of the streaming platform, by its name.' },
  'streaming.getSchedule': { about: 'The next streams in the schedule of one channel, by its name.' },
  'streaming.getStreams': { about: 'The live streams of the given channels, games or languages. A channel that is missing is not live.' },
  'streaming.getTopStreams': { about: 'The most watched live streams of the platform.' },
  'streaming.getTopGames': { about: 'The most watched games of the platform.' },
  'streaming.getGameStreams': { about: 'The live streams of one game, most watched first.' },
  'streaming.getGameClips': { about: 'Clips of one game, most viewed first.' },
  'streaming.getUserClips': { about: 'Clips from the streams of one channel.' },
  'streaming.getGameVideos': { about: 'Recordings and uploads of one game.' },
  'streaming.getUserVideos': { about: 'Recordings and uploads of one channel.' },
  'streaming.search': {
    about: 'Search results of the streaming platform: streams, or channels, games, videos or clips with the filter.',
  },
  'social.getUserInfo': { about: 'The public profile of one or several people on the social platform.' },
  'social.getUserId': { about: 'The id of a user of the social platform.' },
  'social.getPosts': { about: 'The posts of a user, newest first.' },
  'social.getUserMedia': { about: 'Posts of a user with pictures, videos or sounds.' },
  'social.getUserHighlights': { about: 'The highlighted posts of a user.' },
  'social.getUserFollowers': { about: 'The followers of a user.', of: { subject: 'user', parameter: 'user' } },
  'social.getUserFollowings': { about: 'The users that a user follows.', of: { subject: 'user', parameter: 'user' } },
  'social.search': { about: 'Posts with a word, a phrase or a #hashtag. The filter People finds people.' },
  'social.searchGifs': { about: 'GIFs for a search term.' },
  'social.getTrends': { about: 'The trends of the social platform.' },
  'social.postDetail': { about: 'One post, by its id or address.' },
  'social.getPostComments': { about: 'The replies to a post.' },
  'social.getPostQuotes': { about: 'The quotes of a post.' },
  'social.getPostReposts': { about: 'The users who reposted a post.', of: { subject: 'post', parameter: 'post' } },
  'social.postEditHistory': { about: 'The versions of an edited post.', of: { subject: 'post', parameter: 'identifier' } },
  'social.getCommunity': { about: 'One community of the social platform.' },
  'social.getCommunityMembers': { about: 'The members of a community.', of: { subject: 'community', parameter: 'community' } },
  'social.getCommunityPosts': { about: 'The posts of a community.', of: { subject: 'community', parameter: 'community' } },
  'social.getList': { about: 'One public list of people.' },
  'social.getListMember': { about: 'The members of a public list.', of: { subject: 'list', parameter: 'list' } },
  'social.getListPosts': { about: 'The posts of the members of a public list.', of: { subject: 'list', parameter: 'list' } },
  'social.getTopic': { about: 'One topic of the social platform.' },
  'social.getTopicPosts': { about: 'The posts about a topic.' },
};

/** The reads that the assistant does not have, with the reasons. */
export const WITHHELD: Readonly<Record<string, string>> = {
  'streaming.getFollowers': 'only the channel can see its followers',
  'social.getInbox': 'it contains direct messages',
  'social.getConversation': 'it contains direct messages',
  'social.getBookmarks': 'only the account can see its bookmarks',
  'social.getPostNotifications': 'only the account can see its notifications',
  'social.getMentions': 'it contains private messages to the account',
  'social.getHomeTimeline': 'it contains posts for followers only',
  'social.getBlockedUsers': 'only the account can see its blocked users',
  'social.getMutualFollowers': 'it shows the relations of the account',
  'social.getSuggestedUsers': 'it depends on the activity of the account',
  'social.getPostAnalytics': 'only the author can see the statistics of a post',
  'social.getPostLikes': 'some platforms show it only to the author',
  'social.getUserSubscribers': 'it shows payments between users',
  'social.getScheduledPosts': 'it contains unpublished posts',
  'social.getLists': 'it contains private lists of the account',
  'social.getAssistantConversation': 'it contains conversations of other users',
  'social.translatePost': 'it asks the model, which can translate without a tool',
};
