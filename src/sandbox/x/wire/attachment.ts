import type { JsonObject } from '#src/operation/json.ts';
import type { Place } from '#src/social/records/post.ts';
import { pollOf } from '../../social/poll-record.ts';
import type { StoredMedia, StoredPost } from '../../social/posts.ts';
import { pollIdOf } from './post.ts';
import { made, type Makers, type View } from './view.ts';

/** A file, and the post that shows it. */
export interface ShownMedia {
  readonly media: StoredMedia;
  readonly post: Pick<StoredPost, 'createdAtMs'>;
}

const TYPES = { image: 'photo', gif: 'animated_gif', video: 'video', audio: 'video' } as const;

const mediaMakers: Makers<ShownMedia> = {
  media_key: ({ media, post }, view) => view.media.keyOf(media, post),
  type: ({ media }) => TYPES[media.kind],
  alt_text: ({ media }) => media.altText,
  duration_ms: ({ media }) => (media.kind === 'video' ? 0 : undefined),
  height: ({ media }) => media.height,
  width: ({ media }) => media.width,
  preview_image_url: ({ media }, { moment }) => (media.kind === 'image' ? undefined : `${moment.url}/media/${media.id}`),
  public_metrics: ({ media }) => (media.kind === 'video' ? { view_count: 0 } : undefined),
  url: ({ media }, { moment }) => (media.kind === 'image' ? `${moment.url}/media/${media.id}` : undefined),
  variants: ({ media }, { moment }) =>
    media.kind === 'image' ? undefined : [{ content_type: 'video/mp4', bit_rate: 0, url: `${moment.url}/media/${media.id}` }],
};

const MINUTE_MS = 60_000;

const pollMakers: Makers<StoredPost> = {
  id: pollIdOf,
  options: (post, { moment }) =>
    pollOf(post, moment)?.options.map(({ index, label, votes = 0 }) => ({ position: index + 1, label, votes })),
  duration_minutes: ({ poll, createdAtMs }) => poll && Math.round((poll.endsAtMs - createdAtMs) / MINUTE_MS),
  end_datetime: ({ poll }) => poll && new Date(poll.endsAtMs).toISOString(),
  voting_status: (post, { moment }) => (pollOf(post, moment)?.closed ? 'closed' : 'open'),
};

const placeMakers: Makers<Place> = {
  id: ({ id }) => id,
  full_name: ({ fullName, name }) => fullName ?? name,
  name: ({ name }) => name,
  country: ({ country }) => country,
  country_code: ({ countryCode }) => countryCode,
  place_type: () => 'city',
};

/** A picture or a video in a post. */
export function toXMedia(shown: ShownMedia, view: View): JsonObject {
  return made(mediaMakers, shown, { kind: 'media', view });
}

/** The poll of a post. */
export function toXPoll(post: StoredPost, view: View): JsonObject {
  return made(pollMakers, post, { kind: 'poll', view });
}

export function toXPlace(place: Place, view: View): JsonObject {
  return made(placeMakers, place, { kind: 'place', view });
}
