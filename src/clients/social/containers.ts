import { Container } from '#src/clients/paging/container.ts';
import type { Gif, UserList } from './records/discovery.ts';
import type { Conversation } from './records/message.ts';
import type { ConversationThread, Post, ScheduledPost } from './records/post.ts';
import type { User } from './records/user.ts';

/** The posts of one user. */
export class UserPosts extends Container<Post> {}
/** The posts of one user with pictures, videos or sounds. */
export class UserMedia extends Container<Post> {}
/** The highlighted posts of one user. */
export class UserHighlights extends Container<Post> {}
/** The followers of one user. */
export class UserFollowers extends Container<User> {}
/** The users that one user follows. */
export class UserFollowings extends Container<User> {}
/** The paying followers of one user. */
export class UserSubscribers extends Container<User> {}
/** The followers of one user whom the signed-in user follows. */
export class MutualFollowers extends Container<User> {}
/** The users that the signed-in user has blocked. */
export class BlockedUsers extends Container<User> {}
/** The results of a search: posts, or users with the filter `People`. */
export class Search<T extends Post | User = Post | User> extends Container<T> {}
/** The signed-in user's home timeline. */
export class SelfTimeline extends Container<Post> {}
/** Posts that mention the signed-in user. */
export class Mention extends Container<Post> {}
/** The bookmarked posts of the signed-in user. */
export class Bookmarks extends Container<Post> {}
/** New posts of users with notifications on. */
export class PostNotifications extends Container<Post> {}
/** The users who like one post. */
export class PostLikes extends Container<User> {}
/** The users who reposted one post. */
export class PostReposts extends Container<User> {}
/** The replies to one post, one thread each. */
export class PostComments extends Container<ConversationThread> {}
/** The scheduled posts of the signed-in user. */
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
/** The results of a search for GIFs. */
export class GifSearch extends Container<Gif> {}
