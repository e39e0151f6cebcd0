const MEBI = 1024 * 1024;

/** What the server takes, as Mastodon ships. */
export const MOST_FILES = 4;
export const DESCRIPTION_LIMIT = 1500;
export const IMAGE_LIMIT = 16 * MEBI;
export const VIDEO_LIMIT = 99 * MEBI;
/** How many pixels a picture has at most. */
export const IMAGE_MATRIX_LIMIT = 33_177_600;
export const MOST_PINS = 5;

export const POLL = { mostOptions: 4, longestOption: 50, shortestSeconds: 300, longestSeconds: 2_629_746 } as const;
export const SCHEDULE = { leastAheadMs: 5 * 60_000, mostInAll: 300, mostADay: 25 } as const;

export const SUPPORTED_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/heic',
  'image/heif',
  'image/webp',
  'image/avif',
  'video/webm',
  'video/mp4',
  'video/quicktime',
  'video/ogg',
  'audio/wave',
  'audio/wav',
  'audio/x-wav',
  'audio/x-pn-wave',
  'audio/vnd.wave',
  'audio/ogg',
  'audio/vorbis',
  'audio/mpeg',
  'audio/mp3',
  'audio/webm',
  'audio/flac',
  'audio/aac',
  'audio/m4a',
  'audio/x-m4a',
  'audio/mp4',
  'audio/3gpp',
  'video/x-ms-asf',
];
