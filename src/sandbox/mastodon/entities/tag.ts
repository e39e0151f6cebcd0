import type { JsonObject } from '#src/operation/json.ts';
import { fold, hashtagsIn } from '../../social/hashtags.ts';
import type { StoredPost } from '../../social/posts.ts';
import { orderOf } from '../identifiers/places.ts';
import { visibilityOf } from '../posts/visibility.ts';
import type { Visit } from '../visit.ts';
import { tagAddress } from './content.ts';

const DAY_MS = 86_400_000;
const DAYS = 7;
const MOST_TAGS = 10_000_000;

/** The posts with a hashtag that everybody sees, newest first; `name` without #. */
export function postsTagged(name: string, { ground, moment }: Visit): readonly StoredPost[] {
  const tag = `#${fold(name)}`;
  return moment.feed
    .all()
    .filter((post) => post.text.includes('#') && hashtagsIn(post.text).has(tag) && visibilityOf(post, ground) === 'public');
}

/** A hashtag with how much it was used in a week, today first. */
export function toTag(name: string, found: Visit): JsonObject {
  const { ground, moment, viewer } = found;
  const posts = postsTagged(name, found);
  const today = Math.floor(moment.now.getTime() / DAY_MS);
  const history = Array.from({ length: DAYS }, (_, ago) => {
    const used = posts.filter(({ createdAtMs }) => Math.floor(createdAtMs / DAY_MS) === today - ago);
    return {
      day: String(((today - ago) * DAY_MS) / 1000),
      accounts: String(new Set(used.map(({ authorId }) => authorId)).size),
      uses: String(used.length),
    };
  });
  return {
    id: String(orderOf(fold(name), MOST_TAGS)),
    name,
    url: tagAddress(name, ground.home),
    history,
    ...(viewer && { following: ground.marks.has('followTag', viewer.id, fold(name)), featuring: false }),
  };
}
