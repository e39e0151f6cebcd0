import { z } from 'zod';
import { textBehind } from '#src/clients/operation/text/content-warning.ts';
import type { ScheduledPost } from '#src/clients/social/records/post.ts';
import { MediaRow } from './media.ts';
import { fileCount, id, instant, part, PLATFORM, rowsOf, text } from './parts.ts';
import { fromWireVisibility } from './visibility.ts';

/** A scheduled status. */
export const ScheduledRow = z.object({
  id,
  scheduled_at: instant,
  params: z.object({ text: text, spoiler_text: text, in_reply_to_id: id.nullish(), visibility: z.string().nullish() }),
  media_attachments: rowsOf(MediaRow),
});
export type ScheduledRow = z.output<typeof ScheduledRow>;

/** The parts that distinguish scheduled statuses. Unreadable parts are undefined. */
export const ScheduledParts = z
  .object({
    id: part(id),
    scheduled_at: part(instant),
    params: part(
      z.object({ text: part(text), spoiler_text: part(z.string().nullish()), poll: z.unknown().optional(), visibility: part(z.string()) }),
    ),
    media_attachments: part(fileCount),
  })
  .transform((wire) => ({
    id: wire.id,
    sendAt: wire.scheduled_at,
    text: wire.params?.text,
    warning: wire.params?.spoiler_text?.trim(),
    visibility: wire.params?.visibility,
    mediaCount: wire.media_attachments,
    pollOptions: pollOptionsOf(wire.params?.poll),
  }))
  .catch({
    id: undefined,
    sendAt: undefined,
    text: undefined,
    warning: undefined,
    visibility: undefined,
    mediaCount: undefined,
    pollOptions: undefined,
  });

export function toScheduledPost({ id: scheduledId, scheduled_at, params, media_attachments }: ScheduledRow): ScheduledPost {
  const warning = params.spoiler_text.trim() || undefined;
  const { visibility } = params;
  return {
    platform: PLATFORM,
    id: scheduledId,
    origin: 'remote',
    sendAt: scheduled_at,
    text: textBehind(warning, params.text),
    warning,
    media: [...media_attachments],
    // Without it, the default of the account counts at the time of the post.
    ...(visibility && { visibility: fromWireVisibility(visibility) }),
    state: 'scheduled',
  };
}

/** Empty if the status has no poll; undefined if it is not stated. */
function pollOptionsOf(poll: unknown): string | undefined {
  return poll === null ? '' : undefined;
}
