import type { Post } from '#src/social/records/post.ts';
import type { User } from '#src/social/records/user.ts';
import type { Moment } from './moment.ts';
import { pageOf, type Page } from './paging.ts';
import type { StoredPost } from './posts.ts';
import { toPost } from './records.ts';
import { toUser } from './user-record.ts';

/** A page of posts, as the viewer sees them. */
export function postsPage(posts: readonly StoredPost[], cursor: string | undefined, moment: Moment): Page<Post> {
  const page = pageOf(posts, cursor);
  return { ...page, items: page.items.map((post) => toPost(post, moment)) };
}

/** A page of the people with these ids, as the viewer sees them. */
export function usersPage(ids: readonly string[], cursor: string | undefined, moment: Moment): Page<User> {
  const items = ids.map((id) => ({ id }));
  const page = pageOf(items, cursor);
  const people = page.items.flatMap(({ id }) => moment.people.find(id) ?? []);
  return { ...page, items: people.map((person) => toUser(person, moment)) };
}
