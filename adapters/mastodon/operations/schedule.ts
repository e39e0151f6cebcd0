import { z } from 'zod';
import { PlatformError, ValidationError } from '#src/errors.ts';
import { soonestMs } from '#src/clients/operation/find-lost.ts';
import { textBehind } from '#src/clients/operation/text/content-warning.ts';
import { readPages } from '#src/clients/paging/read-pages.ts';
import type { ScheduledPost } from '#src/clients/social/records/post.ts';
import { ignoreFaults, isFault } from '#src/http/errors.ts';
import { MOST } from '../client.ts';
import { composed } from './draft.ts';
import { sentDraft } from './recover-post.ts';
import { assertAsRequested, removeStatus, requestedStatus } from './published.ts';
import type { AccountContext, Primitives, Recoveries } from '../account-context.ts';
import { beforeWrite } from '#src/http/outcome.ts';
import { findLostStatus } from './find-lost-status.ts';
import { PLATFORM } from '../wire/parts.ts';
import { ScheduledParts, ScheduledRow, toScheduledPost } from '../wire/scheduled.ts';
import { UNREADABLE, StatusParts } from '../wire/status-parts.ts';
import { StatusRow } from '../wire/status.ts';
import { fromWireVisibility } from '../wire/visibility.ts';
import { postStatus } from './posts.ts';
import { unsupportedByServer } from './users.ts';

interface Schedule {
  readonly operations: Pick<Primitives, 'createScheduledPost' | 'getScheduledPosts' | 'deleteScheduledPost'>;
  readonly recover: Pick<Recoveries, 'createScheduledPost'>;
}

const PATH = '/api/v1/scheduled_statuses';
/** Covers the limit of servers, 300 posts per account. */
const MOST_PAGES = 10;
const EARLIEST_MS = 5 * 60_000;
/** A scheduled status; without a row if only parts are readable. */
const ScheduledPartsRow = z.unknown().transform((row) => ({
  row: ScheduledRow.safeParse(row).data,
  parts: ScheduledParts.parse(row),
}));
const Taken = z.union([ScheduledRow, StatusRow]);

/** Scheduled posts, which the server stores. */
export function scheduleOperations(context: AccountContext): Schedule {
  const { api } = context;

  async function unschedule(id: string, signal: AbortSignal | undefined): Promise<void> {
    await api.send({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}`, scope: 'write:statuses', signal });
  }

  async function all<T>(row: z.ZodType<T>, signal: AbortSignal | undefined): Promise<readonly T[]> {
    const request = { path: PATH, query: { limit: MOST.statuses }, scope: 'read:statuses' };
    const rows: T[] = [];
    for await (const { page } of readPages((cursor) => api.page(request, row, { cursor, signal }), MOST_PAGES)) rows.push(...page.rows);
    return rows;
  }

  return {
    operations: {
      async createScheduledPost({ sendAt, ...draft }, { key, signal }) {
        // A server publishes late posts at once, and refuses posts for the next five minutes.
        if (sendAt.getTime() < api.now().getTime() + EARLIEST_MS) {
          throw new ValidationError('sendAt must be at least five minutes in the future', { path: 'sendAt' });
        }
        const { json, visibility } = await beforeWrite(composed(draft, { operation: 'createScheduledPost', signal }, context));
        const response = await postStatus(context, { ...json, scheduled_at: sendAt.toISOString() }, { key, signal }).catch(
          (error: unknown) => {
            const isLacking = isFault(error, 'rejected') && error.status === 501;
            throw isLacking ? unsupportedByServer('createScheduledPost', 'This server has no scheduled posts.') : error;
          },
        );
        const row = response.json(Taken);
        if (!('scheduled_at' in row)) {
          const parts = { ...UNREADABLE, visibility: response.json(StatusParts).visibility };
          const made = { domain: api.domain, parts, record: row, remove: () => removeStatus(context, row.id, signal) };
          await assertAsRequested(requestedStatus({ visibility }), made);
          throw new PlatformError(`${PLATFORM}: the server has no scheduled posts: it published this post at once (${row.id}).`, {
            platform: PLATFORM,
            fault: 'rejected',
            record: publishedPost(row, { sendAt, warning: draft.warning, text: draft.text }),
          });
        }
        const record = toScheduledPost(row);
        const { mediaCount, pollOptions, visibility: shown, warning: folds } = response.json(ScheduledParts);
        const parts = { ...UNREADABLE, mediaCount, pollOptions, visibility: shown, warning: folds };
        await assertAsRequested(requestedStatus({ ...draft, warning: json.spoiler_text, visibility }), {
          domain: api.domain,
          parts,
          record,
          remove: () => unschedule(record.id, signal),
        });
        return record;
      },

      async getScheduledPosts(_, { signal }) {
        const posts = (await all(ScheduledRow, signal)).map(toScheduledPost);
        return { items: posts.toSorted((a, b) => a.sendAt.getTime() - b.sendAt.getTime()) };
      },

      async deleteScheduledPost({ post }, { signal }) {
        await ignoreFaults(unschedule(post, signal), 'missing');
        return true;
      },
    },

    recover: {
      async createScheduledPost({ sendAt, ...draft }, options) {
        const { taken, signal } = options;
        const { files: input = [] } = draft;
        const { text, warning, visibility: wantedVisibility, hasUnknownParent } = await sentDraft(draft, signal, context);
        const alike = (await all(ScheduledPartsRow, signal)).filter(
          ({
            parts: { id = '', sendAt: scheduledAt = sendAt, text: written = text, warning: folds = warning, mediaCount = input.length },
          }) =>
            !taken.has(id) &&
            (folds ?? '') === (warning ?? '') &&
            written.trim() === text.trim() &&
            mediaCount === input.length &&
            Math.abs(scheduledAt.getTime() - sendAt.getTime()) < 1000,
        );
        const found = alike.find(({ row }) => row !== undefined)?.row;
        if (found) return { found: toScheduledPost(found) };
        // An unreadable row may be the lost post.
        if (alike.length > 0) return 'cannotTell';
        if (soonestMs(sendAt) > api.now().getTime()) return 'absent';
        // The server may have published it already.
        const canBe = ({ visibility, mediaCount = input.length, warning: folds = warning }: StatusParts): boolean =>
          mediaCount === input.length &&
          (folds ?? '') === (warning ?? '') &&
          (visibility === undefined || (visibility === 'direct') === (wantedVisibility === 'direct'));
        const posted = await findLostStatus({ text, mayHaveMention: hasUnknownParent, canBe }, { ...options, since: sendAt }, context);
        return typeof posted === 'object' ? { found: publishedPost(posted.found.row, { sendAt, warning, text }) } : posted;
      },
    },
  };
}

/** A scheduled post that the server has published, with the id of its status. */
function publishedPost(
  { id, media_attachments: media, visibility }: StatusRow,
  { sendAt, warning, text }: Pick<ScheduledPost, 'sendAt' | 'warning' | 'text'>,
): ScheduledPost {
  const shown = textBehind(warning, text);
  return {
    platform: PLATFORM,
    id,
    origin: 'remote',
    sendAt,
    text: shown,
    warning,
    media: [...media],
    visibility: fromWireVisibility(visibility ?? 'public'),
    state: 'sending',
  };
}
