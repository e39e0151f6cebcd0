import type { SocialPlatform } from '#src/social/social.ts';
import type { FaultKind, FaultOrder } from '../faults.ts';
import type { WorldPerson } from '../world/world.ts';
import { pageOf } from './paging.ts';
import { SELF } from './people.ts';
import type { OwnPosts, StoredPost } from './posts.ts';
import { toPost, toUser, type Moment } from './records.ts';
import { notFound, Refusal } from './refusal.ts';
import { isAbout, says } from './search.ts';

export interface Circumstances {
  readonly moment: Moment;
  readonly own: OwnPosts;
  /** The failure of a kind that meets the request. */
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
}

/** What every declared operation does here, and how an earlier attempt at a write is found. */
export interface SocialOperations {
  readonly operations: Required<SocialPlatform['operations']>;
  readonly recover: Pick<Required<NonNullable<SocialPlatform['recover']>>, 'createPost'>;
}

/** The platform, as one request meets it. */
export function socialOperations({ moment, own, fault }: Circumstances): SocialOperations {
  const { feed, people, now } = moment;

  function requirePerson(name: string): WorldPerson {
    const person = people.find(name);
    if (!person) throw notFound(`user ${name}`);
    return person;
  }

  function requirePost(id: string): StoredPost {
    const post = feed.find(id);
    if (!post) throw notFound(`post ${id}`);
    return post;
  }

  return {
    operations: {
      async getUserInfo({ user = SELF.id }) {
        if (typeof user === 'string') return toUser(requirePerson(user), moment);
        return user.flatMap((name) => people.find(name) ?? []).map((person) => toUser(person, moment));
      },

      async getPosts({ user, replies }, { cursor }) {
        const { id } = requirePerson(user);
        const posts = feed.all().filter(({ authorId, replyTo }) => authorId === id && (replies || replyTo === undefined));
        const page = pageOf(posts, cursor);
        return { ...page, items: page.items.map((post) => toPost(post, moment)) };
      },

      async search({ keyword, filter }, { cursor }) {
        if (filter === 'Lists') throw new Refusal(422, 'unsupported', 'There are no lists to search for.');
        if (filter === 'People') {
          const found = people.all.filter((person) => isAbout(person, keyword)).toSorted((a, b) => b.followerCount - a.followerCount);
          const page = pageOf(found, cursor);
          return { ...page, items: page.items.map((person) => toUser(person, moment)) };
        }
        // No post here has a picture.
        const found = filter === 'Media' ? [] : feed.all().filter((post) => says(post, keyword));
        const page = pageOf(filter === 'Latest' ? found : found.toSorted((a, b) => b.likes - a.likes), cursor);
        return { ...page, items: page.items.map((post) => toPost(post, moment)) };
      },

      async createPost({ text, replyTo, quote }, { key }) {
        const earlier = key === undefined || fault('ignoreKey') ? undefined : own.findByKey(key);
        if (earlier) return toPost(earlier, moment);
        if (replyTo !== undefined) requirePost(replyTo);
        if (quote !== undefined) requirePost(quote);
        const visibleAtMs = now.getTime() + (fault('delayedVisibility')?.ms ?? 0);
        return toPost(own.add({ authorId: SELF.id, text, replyTo, quote, key, createdAtMs: now.getTime(), visibleAtMs }), moment);
      },

      async deletePost({ post: id }) {
        const post = own.find(id);
        if (post) own.delete(post, now.getTime());
        else if (feed.find(id)) throw new Refusal(403, 'forbidden', "This post is somebody else's.");
        return true;
      },
    },

    recover: {
      async createPost(_, { key }) {
        const post = own.findByKey(key);
        return post ? { found: toPost(post, moment) } : 'absent';
      },
    },
  };
}
