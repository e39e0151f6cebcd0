import { Container } from '#src/paging/container.ts';
import type { Gif, UserList } from './records/gathering.ts';
import type { Conversation } from './records/message.ts';
import type { ConversationThread, Post, ScheduledPost } from './records/post.ts';
import type { User } from './records/user.ts';

/** The posts of one user. */
export class UserPosts extends Container<Post> {}
/** The posts of one user that carry pictures, videos or sounds. */
export class UserMedia extends Container<Post> {}
/** The posts that one user shows off. */
export class UserHighlights extends Container<Post> {}
/** Who follows one user. */
export class UserFollowers extends Container<User> {}
/** Whom one user follows. */
export class UserFollowings extends Container<User> {}
/** Who pays to follow one user. */
export class UserSubscribers extends Container<User> {}
/** Who follows one user among those that the signed-in user follows. */
export class MutualFollowers extends Container<User> {}
/** Whom the signed-in user has blocked. */
export class BlockedUsers extends Container<User> {}
/** What a search found: posts, or users where people were asked for. */
export class Search<T extends Post | User = Post | User> extends Container<T> {}
/** The signed-in user's home timeline. */
export class SelfTimeline extends Container<Post> {}
/** Posts that mention the signed-in user. */
export class Mention extends Container<Post> {}
/** Posts that the signed-in user keeps. */
export class Bookmarks extends Container<Post> {}
/** New posts of users whose notifications are switched on. */
export class PostNotifications extends Container<Post> {}
/** Who likes one post. */
export class PostLikes extends Container<User> {}
/** Who passed on one post. */
export class PostReposts extends Container<User> {}
/** The answers to one post, a thread each. */
export class PostComments extends Container<ConversationThread> {}
/** The signed-in user's posts that go out later. */
export class ScheduledPosts extends Container<ScheduledPost> {}
/** The signed-in user's conversations. */
export class Inbox extends Container<Conversation> {}
/** The posts of one community. */
export class CommunityPosts extends Container<Post> {}
/** The members of one community. */
export class CommunityMembers extends Container<User> {}
/** The signed-in user's lists. */
export class Lists extends Container<UserList> {}
/** The posts of the members of one list. */
export class ListPosts extends Container<Post> {}
/** The members of one list. */
export class ListMembers extends Container<User> {}
/** The posts about one topic. */
export class TopicPosts extends Container<Post> {}
/** What a search for GIFs found. */
export class GifSearch extends Container<Gif> {}
