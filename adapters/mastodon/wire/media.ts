import { z } from 'zod';
import type { Media } from '#src/clients/social/records/media.ts';
import { address, filled, id } from './parts.ts';

const KINDS: ReadonlyMap<string, Media['kind']> = new Map([
  ['image', 'image'],
  ['video', 'video'],
  ['gifv', 'gif'],
  ['gif', 'gif'],
  ['audio', 'audio'],
]);

const size = z
  .object({ width: z.number().nullish(), height: z.number().nullish(), duration: z.number().nullish() })
  .nullish()
  .catch(undefined);

/** A file. */
export const MediaRow = z
  .object({
    id,
    type: z.string().nullish(),
    url: address,
    preview_url: address,
    remote_url: address,
    description: filled,
    meta: z.object({ original: size }).nullish().catch(undefined),
  })
  .transform(({ id: mediaId, type, url, preview_url, remote_url, description, meta }): Media => {
    const { width, height, duration } = meta?.original ?? {};
    const kind = KINDS.get(type ?? '');
    const shownAt = url ?? remote_url;
    return {
      id: mediaId,
      kind: kind ?? 'image',
      url: shownAt,
      previewUrl: preview_url,
      altText: description,
      width: whole(width),
      height: whole(height),
      durationMs: whole(duration && duration * 1000),
      // If the kind is unknown, the server could not process the file.
      state: shownAt !== undefined ? 'ready' : kind === undefined ? 'failed' : 'processing',
    };
  });

function whole(number: number | null | undefined): number | undefined {
  return number === null || number === undefined ? undefined : Math.max(0, Math.round(number));
}
