import type { SearchFilter as SocialFilter } from '#src/social/enumerations.ts';
import type { ClipSort, SearchFilter, StreamSort, VideoSort } from '#src/streaming/enumerations.ts';
import type { Words } from '../language/words.ts';
import type { FieldChoice } from './view.ts';

type Choice<T extends string> = FieldChoice & { readonly value: T };

/** The orders of streams; the first is the usual one, here and below. */
export const STREAM_ORDERS: readonly Choice<StreamSort>[] = [
  { value: 'VIEWER_COUNT', name: ({ lookups }) => lookups.sorts.mostWatched },
  { value: 'VIEWER_COUNT_ASC', name: ({ lookups }) => lookups.sorts.leastWatched },
  { value: 'STARTED_AT', name: ({ lookups }) => lookups.sorts.justLive },
];

/** The orders of videos. */
export const VIDEO_ORDERS: readonly Choice<VideoSort>[] = [
  { value: 'TIME', name: ({ lookups }) => lookups.sorts.newest },
  { value: 'VIEWS', name: ({ lookups }) => lookups.sorts.mostViewed },
  { value: 'TRENDING', name: ({ lookups }) => lookups.sorts.trending },
];

/** The orders of clips. */
export const CLIP_ORDERS: readonly Choice<ClipSort>[] = [
  { value: 'TIME', name: ({ lookups }) => lookups.sorts.newest },
  { value: 'LAST_DAY', name: ({ lookups }) => lookups.sorts.lastDay },
  { value: 'LAST_WEEK', name: ({ lookups }) => lookups.sorts.lastWeek },
  { value: 'LAST_MONTH', name: ({ lookups }) => lookups.sorts.lastMonth },
  { value: 'ALL_TIME', name: ({ lookups }) => lookups.sorts.allTime },
];

/** What a search on a streaming platform looks for. */
export const SEARCH_KINDS: readonly Choice<SearchFilter>[] = [
  { value: 'SearchStreams', name: ({ lookups }) => lookups.kinds.streams },
  { value: 'SearchChannels', name: ({ lookups }) => lookups.kinds.channels },
  { value: 'SearchGames', name: ({ lookups }) => lookups.kinds.games },
  { value: 'SearchVideos', name: ({ lookups }) => lookups.kinds.videos },
  { value: 'SearchClips', name: ({ lookups }) => lookups.kinds.clips },
];

/** What a search on a social platform looks for: without a filter, the posts that fit best. */
export const POST_KINDS: readonly Choice<'Top' | Exclude<SocialFilter, 'Lists'>>[] = [
  { value: 'Top', name: ({ lookups }) => lookups.postKinds.top },
  { value: 'Latest', name: ({ lookups }) => lookups.postKinds.latest },
  { value: 'Media', name: ({ lookups }) => lookups.postKinds.media },
  { value: 'People', name: ({ lookups }) => lookups.postKinds.people },
];

/** The one that was chosen, else `usual`. */
export function chosen<T extends string>(choices: readonly Choice<T>[], value: string | undefined, usual: T): T {
  return choices.find((one) => one.value === value)?.value ?? usual;
}

/** What a chosen one is called inside of a sentence. */
export function spoken(choices: readonly FieldChoice[], value: string, words: Words): string {
  const name = choices.find((one) => one.value === value)?.name(words) ?? '';
  return name.charAt(0).toLowerCase() + name.slice(1);
}
