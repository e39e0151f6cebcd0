import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import { countIfAny, filled, text } from './parts.ts';

const limit = countIfAny.catch(undefined);
const mediaLimits = z
  .object({
    supported_mime_types: arrayOf(z.string()).nullish().catch(undefined),
    image_size_limit: limit,
    image_matrix_limit: limit,
    video_size_limit: limit,
    description_limit: limit,
  })
  .partial()
  .nullish();
const statusLimits = z
  .object({ max_characters: limit, max_media_attachments: limit, characters_reserved_per_url: limit })
  .partial()
  .nullish();
const pollLimits = z
  .object({ max_options: limit, max_characters_per_option: limit, max_option_chars: limit, min_expiration: limit, max_expiration: limit })
  .partial()
  .nullish();

const configuration = z
  .object({
    statuses: statusLimits,
    media_attachments: mediaLimits,
    polls: pollLimits,
    translation: z.object({ enabled: z.boolean().nullish() }).nullish(),
    urls: z.object({ streaming: filled }).partial().nullish().catch(undefined),
  })
  .partial()
  .nullish();

/** The description of a server, from `/api/v2/instance` or `/api/v1/instance`, with the additions of other programs. */
export const InstanceRow = z
  .object({
    domain: filled,
    uri: filled,
    version: text,
    api_versions: z.object({ mastodon: countIfAny }).partial().nullish().catch(undefined),
    configuration,
    urls: z.object({ streaming_api: filled }).partial().nullish().catch(undefined),
    max_toot_chars: limit,
    max_media_attachments: limit,
    description_limit: limit,
    upload_limit: limit,
    poll_limits: pollLimits,
  })
  .partial()
  .transform((wire) => ({
    domain: wire.domain ?? wire.uri,
    version: wire.version ?? '',
    apiVersion: wire.api_versions?.mastodon ?? 0,
    statuses: {
      mostCharacters: wire.configuration?.statuses?.max_characters ?? wire.max_toot_chars,
      mostFiles: wire.configuration?.statuses?.max_media_attachments ?? wire.max_media_attachments,
      reservedPerUrl: wire.configuration?.statuses?.characters_reserved_per_url,
    },
    media: {
      types: wire.configuration?.media_attachments?.supported_mime_types ?? undefined,
      imageBytes: wire.configuration?.media_attachments?.image_size_limit ?? wire.upload_limit,
      imagePixels: wire.configuration?.media_attachments?.image_matrix_limit,
      videoBytes: wire.configuration?.media_attachments?.video_size_limit ?? wire.upload_limit,
      longestAltText: wire.configuration?.media_attachments?.description_limit ?? wire.description_limit,
    },
    polls: pollsOf(wire.configuration?.polls ?? wire.poll_limits ?? {}),
    streamingUrl: wire.configuration?.urls?.streaming ?? wire.urls?.streaming_api,
    translates: wire.configuration?.translation?.enabled ?? undefined,
  }));
export type InstanceRow = z.output<typeof InstanceRow>;

function pollsOf({
  max_options,
  max_characters_per_option,
  max_option_chars,
  min_expiration,
  max_expiration,
}: NonNullable<z.output<typeof pollLimits>>) {
  return {
    mostOptions: max_options,
    longestOption: max_characters_per_option ?? max_option_chars,
    shortestSeconds: min_expiration,
    longestSeconds: max_expiration,
  };
}
