import type { JsonObject } from '#src/operation/json.ts';
import { placeAt, type Place } from '../identifiers/places.ts';
import type { PollFacts } from '../posts/facts.ts';
import type { ScheduledStatus } from '../posts/scheduled.ts';
import type { Visit } from '../visit.ts';
import { mediaId, toUploadAnswer } from './media.ts';

export function placeOfScheduled({ writtenAtMs, number }: ScheduledStatus): Place {
  return placeAt(writtenAtMs, number);
}

/** A post that waits, with what was sent. */
export function toScheduledStatus(scheduled: ScheduledStatus, { ground, uploads, moment, written }: Visit): JsonObject {
  const { draft, dueAtMs } = scheduled;
  const nowMs = moment.now.getTime();
  const statusId = (postId: string | undefined): string | null => {
    const post = postId === undefined ? undefined : (moment.feed.find(postId) ?? written.find(postId));
    return post ? ground.ids.status(post) : null;
  };
  return {
    id: ground.ids.write(placeOfScheduled(scheduled)),
    scheduled_at: new Date(dueAtMs).toISOString(),
    params: {
      text: draft.text,
      poll: draft.poll ? pollParams(draft.poll) : null,
      media_ids: draft.mediaIds.length === 0 ? null : draft.mediaIds.map((id) => mediaId(id, ground)),
      sensitive: draft.sensitive,
      spoiler_text: draft.spoilerText,
      visibility: draft.visibility,
      language: draft.language,
      scheduled_at: null,
      idempotency: null,
      with_rate_limit: false,
      in_reply_to_id: statusId(draft.replyTo),
      quoted_status_id: statusId(draft.quote),
      quote_approval_policy: draft.quotePolicy,
      allowed_mentions: null,
      application_id: Number(draft.application.id ?? 0),
    },
    media_attachments: draft.mediaIds.flatMap((id) => {
      const upload = uploads.find(id);
      return upload ? [toUploadAnswer(upload, ground, nowMs)] : [];
    }),
  };
}

function pollParams({ options, expiresInSeconds, multiple, hideTotals }: PollFacts): JsonObject {
  return { options, expires_in: String(expiresInSeconds), multiple, hide_totals: hideTotals };
}
