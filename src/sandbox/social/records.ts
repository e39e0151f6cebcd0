import type { Person } from '#src/operation/record.ts';
import type { Post } from '#src/social/records/post.ts';
import type { User } from '#src/social/records/user.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Feed } from './feed.ts';
import type { People } from './people.ts';
import type { StoredPost } from './posts.ts';

const PLATFORM = 'sandbox';

/** The platform as it is at one instant. */
export interface Moment {
  readonly now: Date;
  /** Where its pages stand, as `http://127.0.0.1:8081/social`. */
  readonly url: string;
  readonly people: People;
  readonly feed: Feed;
}

export function toUser(person: WorldPerson, moment: Moment): User {
  return {
    ...toPerson(person, moment),
    bio: person.bio,
    createdAt: person.createdAt,
    followerCount: person.followerCount,
    postCount: moment.feed.all().filter(({ authorId }) => authorId === person.id).length,
    verified: 'none',
    fetchedAt: moment.now,
  };
}

export function toPost(post: StoredPost, moment: Moment): Post {
  const { feed, people, url, now } = moment;
  const author = people.find(post.authorId);
  if (!author) throw new Error(`post ${post.id} is by nobody`);
  const parent = post.replyTo === undefined ? undefined : feed.find(post.replyTo);
  return {
    platform: PLATFORM,
    id: post.id,
    url: `${url}/posts/${post.id}`,
    author: toPerson(author, moment),
    text: post.text,
    entities: [],
    media: [],
    replyAudience: 'everyone',
    createdAt: new Date(post.createdAtMs),
    replyTo: post.replyTo === undefined ? undefined : { postId: post.replyTo, userId: parent?.authorId },
    quoted: post.quote === undefined ? undefined : { postId: post.quote, state: 'accepted' },
    visibility: 'public',
    counts: {
      likes: post.likes,
      reposts: post.reposts,
      replies: feed.all().filter(({ replyTo }) => replyTo === post.id).length,
      quotes: feed.all().filter(({ quote }) => quote === post.id).length,
    },
    fetchedAt: now,
  };
}

function toPerson({ id, handle, displayName }: WorldPerson, { url }: Moment): Person {
  return { platform: PLATFORM, id, url: `${url}/@${handle}`, handle, displayName };
}
