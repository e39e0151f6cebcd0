import { isPublic, type PublicOptions } from '#src/clients/operation/audience.ts';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';

const MOST_TEXT = 400;
const MOST_ELEMENTS = 20;
const DEEPEST = 6;

const PICTURES = ['thumbnailUrl', 'thumbnailTemplate', 'avatarUrl', 'bannerUrl', 'boxArtUrl', 'previewUrl', 'mp4Url', 'embedUrl'];
const FOR_PROGRAMS = ['fetchedAt', 'igdbId', 'entities', 'mutedSegments', 'pinnedPostIds', 'conversationId', 'firstVersionId'];
/** Relations of the reading account to a record, and fields that only the author sees. */
const ACCOUNT_FIELDS = ['viewer', 'role', 'bookmarks', 'impressions'];
const USELESS = new Set([...PICTURES, ...FOR_PROGRAMS, ...ACCOUNT_FIELDS]);

/** The JSON of a result without private records, fields for programs, and long texts. */
export function compact(value: unknown, options: PublicOptions = {}): Json | undefined {
  return compactAt(value, 0, options);
}

function compactAt(value: unknown, depth: number, options: PublicOptions): Json | undefined {
  if (typeof value === 'string') return shorten(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (depth > DEEPEST || !isPublic(value, options)) return undefined;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.slice(0, MOST_ELEMENTS).flatMap((one) => compactAt(one, depth + 1, options) ?? []);
  }
  return isRecord(value) ? compactRecord(value, depth, options) : undefined;
}

function compactRecord(record: Fields, depth: number, options: PublicOptions): JsonObject {
  const fields = Object.entries(record).flatMap(([key, original]) => {
    if (USELESS.has(key)) return [];
    // The quoted post may be private, so only its id is passed on.
    const value = key === 'quoted' && isRecord(original) ? { postId: original['postId'] } : original;
    const small = compactAt(value, depth + 1, options);
    const isEmpty = small === undefined || (Array.isArray(small) && small.length === 0);
    return isEmpty ? [] : [[key, small] as const];
  });
  return Object.fromEntries(fields);
}

function shorten(text: string): string {
  return text.length > MOST_TEXT ? `${Array.from(text).slice(0, MOST_TEXT).join('')}…` : text;
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
