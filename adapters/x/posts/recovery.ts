import { soonestMs } from '#src/operation/lost-among.ts';
import { withoutHandlesOfOthers } from '#src/operation/text/handles-of-others.ts';
import { runsOf } from '#src/operation/text/links.ts';
import type { Post } from '#src/social/records/post.ts';
import { WAYS } from '../access/access.ts';
import type { Recoveries } from '../api.ts';
import { readPosts } from '../pages.ts';
import type { UserNames } from '../users/names.ts';
import { byIdDescending, toSecond } from '../wire/parts.ts';
import { postIdIn } from '../wire/text.ts';
import type { Draft } from './body.ts';
import type { PostReader } from './detail.ts';
import { postIdOf } from './post-id.ts';
import { isSameText } from './same-text.ts';

const ROWS = 20;
/** An account that wrote more than this since then cannot be looked through. */
const MOST_PAGES = 5;

/**
 * What became of an earlier attempt at a post, by reading back what the account wrote since then.
 *
 * X keeps no keys, and what was written may show late: where nothing is found, nobody can tell.
 */
export function recoverPost(reader: PostReader, names: UserNames): Recoveries['createPost'] {
  return async (draft, { since, taken, signal }) => {
    const { id } = await names.me(signal);
    const startTime = toSecond(soonestMs(since));
    const asking = {
      path: '/2/users/:id/tweets',
      params: { id },
      ways: WAYS.user,
      query: { max_results: ROWS, start_time: startTime },
    } as const;

    const found: Post[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const page = await readPosts(reader, asking, { cursor, signal });
      found.push(...page.items.filter((post) => !taken.has(post.id) && isMadeOf(draft, post)));
      if (page.cursor === undefined || page.cursor === cursor) break;
      cursor = page.cursor;
    }
    // Of several that say the same the first one was asked for first.
    const [first] = found.toSorted(byIdDescending).toReversed();
    return first ? { found: first } : 'cannotTell';
  };
}

/** Whether the post could have come of the draft. */
function isMadeOf({ files = [], replyTo, poll, community, ...draft }: Draft, post: Post): boolean {
  const { text, quote } = asShown(draft, post);
  const uploaded = files.flatMap((file) => (typeof file === 'object' && 'id' in file ? file.id : []));
  const shown = new Set(post.media.map(({ id }) => id));
  return (
    post.repostOf === undefined &&
    isSameText(withoutHandlesOfOthers(text), post.text) &&
    post.replyTo?.postId === (replyTo === undefined ? undefined : postIdOf(replyTo)) &&
    post.quoted?.postId === quote &&
    post.media.length === files.length &&
    uploaded.every((id) => shown.has(id)) &&
    post.communityId === community &&
    JSON.stringify(post.poll?.options.map(({ label }) => label)) === JSON.stringify(poll?.options)
  );
}

/** X shows the post that an address at the end leads to, and takes the address for that. */
function asShown(
  { text, quote }: Pick<Draft, 'text' | 'quote'>,
  { quoted }: Post,
): { readonly text: string; readonly quote: string | undefined } {
  const last = runsOf(text.trimEnd()).at(-1);
  if (quote === undefined && quoted && last?.link && postIdIn(last.text) === quoted.postId) {
    return { text: text.trimEnd().slice(0, -last.text.length), quote: quoted.postId };
  }
  return { text, quote: quote === undefined ? undefined : postIdOf(quote) };
}
