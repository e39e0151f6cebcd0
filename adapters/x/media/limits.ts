import type { MediaLimits } from '#src/media/medium.ts';

const MEGABYTE = 1_000_000;

/** What X takes: https://docs.x.com/x-api/media/quickstart/best-practices. Videos may be longer than 140 seconds for some accounts only. */
export const LIMITS: MediaLimits = {
  platform: 'x',
  types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'video/mp4', 'video/quicktime'],
  mostBytes: { image: 5 * MEGABYTE, gif: 15 * MEGABYTE, video: 512 * MEGABYTE },
  longestSide: 8192,
};

/** What a medium is for. */
export type Purpose = 'post' | 'message';

/** How X files what is uploaded. */
export function categoryOf(kind: 'image' | 'gif' | 'video', purpose: Purpose): string {
  return `${purpose === 'post' ? 'tweet' : 'dm'}_${kind}`;
}

export const LONGEST_ALT_TEXT = 1000;
