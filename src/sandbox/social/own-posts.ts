import { postIdOf, type Meeting } from './meeting.ts';
import type { WrittenPost } from './posts.ts';
import { notFound, Refusal } from './refusal.ts';

/** A post of the viewer's by id or address, also where reads do not show it yet; refuses one of somebody else. */
export function findOwn({ moment, viewer, written }: Meeting, idOrUrl: string): WrittenPost | undefined {
  const given = postIdOf(idOrUrl, moment);
  const id = moment.feed.find(given)?.repostOf ?? given;
  const post = written.find(id);
  if (post && post.authorId === viewer.id) {
    const stands = post.deletedAtMs === undefined && post.createdAtMs <= moment.now.getTime();
    return stands ? post : undefined;
  }
  if (moment.feed.find(id)) throw new Refusal(403, 'forbidden', "This post is somebody else's.");
  return undefined;
}

/** {@link findOwn}, where there has to be one. */
export function requireOwn(meeting: Meeting, idOrUrl: string): WrittenPost {
  const post = findOwn(meeting, idOrUrl);
  if (!post) throw notFound(`post ${idOrUrl}`);
  return post;
}
