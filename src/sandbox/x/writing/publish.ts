import type { WrittenPost } from '../../social/posts.ts';
import { findWritten, latestOf, type PostVersion } from '../ids/post-ids.ts';
import { forbidden, invalid } from '../problem.ts';
import type { XRequest } from '../request.ts';
import { EDITABLE_MS, isEditable } from '../wire/post.ts';
import type { Draft } from './draft.ts';

/** For how long X remembers what an account wrote, so that it does not write it again. */
const REMEMBERED_MS = 24 * 3_600_000;

/** Puts a draft on the platform; whoever sends the same twice has two, or is told that it stands already. */
export function published({ post, edits }: Draft, request: XRequest): PostVersion {
  const { meeting, moment, settings } = request;
  if (settings.suspended.has(post.authorId)) throw forbidden('Your account is suspended and is not permitted to access this feature.');
  const nowMs = moment.now.getTime();
  if (edits !== undefined) return edited(edits, { post, edits }, request);
  if (repeats(post, meeting.written.all(), nowMs)) throw forbidden('You are not allowed to create a Tweet with duplicate content.');
  const visibleAtMs = nowMs + (meeting.fault('delayedVisibility')?.ms ?? 0);
  return latestOf(meeting.written.add({ ...post, visibleAtMs }));
}

function edited(previousId: string, { post: { text, media, authorId } }: Draft, { meeting, moment, settings }: XRequest): PostVersion {
  // What X says to who does not pay is nowhere written: this is what it says of most that an account may not do.
  if (settings.tier === 'selfServe' && !settings.premium.has(authorId)) throw forbidden('You are not permitted to perform this action.');
  const post = findWritten(previousId, meeting.written);
  const nowMs = moment.now.getTime();
  if (!post || post.authorId !== authorId || post.deletedAtMs !== undefined) throw forbidden('You are not permitted to edit this Tweet.');
  if (!isEditable(post) || nowMs > post.createdAtMs + EDITABLE_MS || latestOf(post).id !== previousId) {
    throw invalid({ parameters: { 'edit_options.previous_post_id': [previousId] }, message: 'This Tweet can no longer be edited.' });
  }
  return latestOf(meeting.written.edit(post, { text, media, atMs: nowMs }));
}

/** Whether the same text stands already where it would go: what reads do not show yet counts as well. */
function repeats({ authorId, text, replyTo, quote, media, poll }: Draft['post'], written: readonly WrittenPost[], nowMs: number): boolean {
  if (text.trim() === '' || media.length > 0 || poll) return false;
  const same = plain(text);
  return written.some(
    (post) =>
      post.authorId === authorId &&
      post.deletedAtMs === undefined &&
      nowMs - post.createdAtMs < REMEMBERED_MS &&
      post.replyTo === replyTo &&
      post.quote === quote &&
      plain(post.text) === same,
  );
}

function plain(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
}
