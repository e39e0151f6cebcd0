import type { Kysely } from 'kysely';
import { dropExpiredAccess } from './access.ts';
import { dropExpiredDrafts } from './assistant-drafts.ts';
import { dropExpiredUses } from './command-uses.ts';
import { dropOldPoints } from './conversation-points.ts';
import { dropExpiredPostDrafts } from './post-drafts.ts';
import { createDropLookedUp } from './drop-looked-up.ts';
import { dropOldRecordings } from './recorded-polls-retention.ts';
import { dropOldViews } from './saved-views.ts';
import { dropUnusedConversations } from './transcripts.ts';
import type { Tables } from './tables.ts';

/** Creates the deletion of what its next use would delete too, and of old results: there may be no next use, and the rows name members and addresses. */
export function createDropExpired(db: Kysely<Tables>): (nowMs: number) => Promise<void> {
  const dropLookedUp = createDropLookedUp(db);
  return async (nowMs) => {
    await dropExpiredAccess(db, nowMs);
    await dropExpiredUses(db, nowMs);
    await dropExpiredPostDrafts(db, nowMs);
    await dropOldViews(db, nowMs);
    await dropExpiredDrafts(db, nowMs);
    await dropOldPoints(db, nowMs);
    await dropUnusedConversations(db, nowMs);
    await dropOldRecordings(db, nowMs);
    await dropLookedUp(nowMs);
  };
}
