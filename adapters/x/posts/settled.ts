import { CLOCKS_APART_MS } from '#src/operation/lost-among.ts';
import type { Post } from '#src/social/records/post.ts';
import type { Draft } from './body.ts';

const MINUTE_MS = 60_000;

/** X documents that search and counts show a post after 30 s. Ten times as long also covers a request that is still on its way. */
const SETTLED_MS = 5 * MINUTE_MS;
/** The same where nothing but the views speaks against a second post. */
export const SETTLED_ALONE_MS = 15 * MINUTE_MS;
/** Views that do not agree for so long leave the question to a person. */
const VIEWS_AGREE_WITHIN_MS = 60 * MINUTE_MS;

/**
 * From when on a post that no view shows was never made, if its attempt ended without an outcome at `lostAt`.
 *
 * The wait is shorter if X refuses a second post anyway, or if the timeline shows a post that is younger than the attempt.
 */
export function settledAt(draft: Draft, { lostAt, later }: { readonly lostAt: Date; readonly later: readonly Post[] }): Date {
  const isOrdered = later.some(({ createdAt }) => createdAt.getTime() > lostAt.getTime() + CLOCKS_APART_MS);
  return new Date(lostAt.getTime() + (isOrdered || isRefusedTwice(draft) ? SETTLED_MS : SETTLED_ALONE_MS));
}

/** When to compare views again that do not agree: each time four times as late; undefined: a person has to look. */
export function compareAgainAt(nowMs: number, lostAt: Date): Date | undefined {
  const lostMs = lostAt.getTime();
  const waitedMs = nowMs - lostMs;
  return waitedMs < VIEWS_AGREE_WITHIN_MS ? new Date(lostMs + Math.min(4 * waitedMs, VIEWS_AGREE_WITHIN_MS)) : undefined;
}

/** Whether X answers a second post of the same words with "duplicate content". Files and polls make it another post. */
function isRefusedTwice({ text, files = [], poll }: Draft): boolean {
  return text.trim() !== '' && files.length === 0 && poll === undefined;
}
