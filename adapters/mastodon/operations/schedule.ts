import { z } from 'zod';
import { PlatformError, ValidationError } from '#src/errors.ts';
import { soonestMs } from '#src/operation/lost-among.ts';
import type { ScheduledPost } from '#src/social/records/post.ts';
import { MOST } from '../api.ts';
import { askedOf, assertAsAsked } from '../as-asked.ts';
import { composed } from '../composing.ts';
import type { MastodonContext, Primitives, Recoveries } from '../context.ts';
import { isFault } from '../faults.ts';
import { findPosted } from '../recovery.ts';
import { PLATFORM } from '../wire/parts.ts';
import { ScheduledParts, ScheduledRow, toScheduledPost } from '../wire/scheduled.ts';
import { UNREADABLE, type StatusParts } from '../wire/status-parts.ts';
import { StatusRow } from '../wire/status.ts';
import { postStatus } from './posts.ts';
import { lacking } from './users.ts';

interface Schedule {
  readonly operations: Pick<Primitives, 'createScheduledPost' | 'getScheduledPosts' | 'deleteScheduledPost'>;
  readonly recover: Pick<Recoveries, 'createScheduledPost'>;
}

const PATH = '/api/v1/scheduled_statuses';
/** A server takes 300 of an account. */
const MOST_PAGES = 10;
const EARLIEST_MS = 5 * 60_000;
/** A row that cannot be read as a whole has its readable parts only. */
const ScheduledPartsRow = z.unknown().transform((row) => ({
  row: ScheduledRow.safeParse(row).data,
  parts: ScheduledParts.parse(row),
}));
const Taken = z.union([ScheduledRow, StatusRow]);

/** What the signed-in account writes to go out later; the server keeps it. */
export function scheduleOperations(context: MastodonContext): Schedule {
  const { api } = context;

  async function all<T>(row: z.ZodType<T>, signal: AbortSignal | undefined): Promise<readonly T[]> {
    const request = { path: PATH, query: { limit: MOST.statuses }, scope: 'read:statuses' };
    const rows: T[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const page = await api.page(request, row, { cursor, signal });
      rows.push(...page.rows);
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
    return rows;
  }

  return {
    operations: {
      async createScheduledPost({ sendAt, ...draft }, { key, signal }) {
        // A server posts at once what is too late, and refuses what is soon.
        if (sendAt.getTime() < api.now().getTime() + EARLIEST_MS) {
          throw new ValidationError('a Mastodon server keeps a post for later than in five minutes only', { path: 'sendAt' });
        }
        const json = await composed(draft, { operation: 'createScheduledPost', signal }, context);
        const response = await postStatus(context, { ...json, scheduled_at: sendAt.toISOString() }, { key, signal }).catch(
          (error: unknown) => {
            const isLacking = isFault(error, 'rejected') && error.status === 501;
            throw isLacking ? lacking('createScheduledPost', 'This server keeps no posts for later.') : error;
          },
        );
        const row = response.json(Taken);
        if (!('scheduled_at' in row)) {
          throw new PlatformError(`${PLATFORM}: the server keeps no posts for later: it has posted this one at once (${row.id}).`, {
            platform: PLATFORM,
            fault: 'rejected',
            record: gone(row, { sendAt, text: draft.text }),
          });
        }
        const record = toScheduledPost(row);
        const { mediaCount, pollOptions } = response.json(ScheduledParts);
        const parts = { ...UNREADABLE, mediaCount, pollOptions };
        assertAsAsked(askedOf(draft), { domain: api.domain, parts, record });
        return record;
      },

      async getScheduledPosts(_, { signal }) {
        const posts = (await all(ScheduledRow, signal)).map(toScheduledPost);
        return { items: posts.toSorted((a, b) => a.sendAt.getTime() - b.sendAt.getTime()) };
      },

      async deleteScheduledPost({ post }, { signal }) {
        try {
          await api.send({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(post)}`, scope: 'write:statuses', signal });
        } catch (error) {
          if (!isFault(error, 'missing')) throw error;
        }
        return true;
      },
    },

    recover: {
      async createScheduledPost({ sendAt, text, files: given = [], visibility: asked = context.defaults.visibility }, options) {
        const { taken, signal } = options;
        const alike = (await all(ScheduledPartsRow, signal)).filter(
          ({ parts: { id = '', sendAt: at = sendAt, text: written = text, mediaCount = given.length } }) =>
            !taken.has(id) &&
            written.trim() === text.trim() &&
            mediaCount === given.length &&
            Math.abs(at.getTime() - sendAt.getTime()) < 1000,
        );
        const found = alike.find(({ row }) => row !== undefined)?.row;
        if (found) return { found: toScheduledPost(found) };
        // One that nobody can read may be the one.
        if (alike.length > 0) return 'cannotTell';
        if (soonestMs(sendAt) > api.now().getTime()) return 'absent';
        // It may have gone out meanwhile.
        const canBe = ({ visibility, mediaCount = given.length }: StatusParts): boolean =>
          mediaCount === given.length && (visibility === undefined || (visibility === 'direct') === (asked === 'direct'));
        const posted = await findPosted({ text, canBe }, { ...options, since: sendAt }, context);
        return typeof posted === 'object' ? { found: gone(posted.found.row, { sendAt, text }) } : posted;
      },
    },
  };
}

/** A post for later as it is known once it went out: by the id of its status. */
function gone({ id, media_attachments: media }: StatusRow, { sendAt, text }: Pick<ScheduledPost, 'sendAt' | 'text'>): ScheduledPost {
  return { platform: PLATFORM, id, origin: 'remote', sendAt, text, media: [...media], state: 'sending' };
}
