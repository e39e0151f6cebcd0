import type { MediaLimits } from '#src/media/medium.ts';

const MEGABYTE = 1_000_000;

/** What a medium is for. */
export type Purpose = 'post' | 'message';

/** What X takes, of accounts that do not pay: https://docs.x.com/x-api/media/quickstart/best-practices. How long a video may be X tells itself. */
export function limitsFor(purpose: Purpose): MediaLimits {
  return {
    platform: 'x',
    types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'video/mp4', 'video/quicktime'],
    mostBytes: { image: 5 * MEGABYTE, gif: 15 * MEGABYTE, video: (purpose === 'post' ? 8000 : 512) * MEGABYTE },
    longestSide: 8192,
    moving: { mostWidth: 1280, mostHeight: 1080, mostFrames: 350 },
  };
}

/** How X files what is uploaded. */
export function categoryOf(kind: 'image' | 'gif' | 'video', purpose: Purpose): string {
  return `${purpose === 'post' ? 'tweet' : 'dm'}_${kind}`;
}

export const LONGEST_ALT_TEXT = 1000;
