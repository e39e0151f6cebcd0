import type { SearchFilter as SocialFilter } from '#src/clients/social/enumerations.ts';
import type { ClipSort, SearchFilter, StreamSort, VideoSort } from '#src/clients/streaming/enumerations.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import type { FieldChoice } from './fields.ts';

export type Choice<T extends string> = FieldChoice & { readonly value: T };

export const STREAM_ORDERS: readonly Choice<StreamSort>[] = [
  { value: 'VIEWER_COUNT', name: ({ lookups }) => lookups.sorts.mostWatched },
  { value: 'VIEWER_COUNT_ASC', name: ({ lookups }) => lookups.sorts.leastWatched },
  { value: 'STARTED_AT', name: ({ lookups }) => lookups.sorts.justLive },
];

export const VIDEO_ORDERS: readonly Choice<VideoSort>[] = [
  { value: 'TIME', name: ({ lookups }) => lookups.sorts.newest },
  { value: 'VIEWS', name: ({ lookups }) => lookups.sorts.mostViewed },
  { value: 'TRENDING', name: ({ lookups }) => lookups.sorts.trending },
];

export const CLIP_ORDERS: readonly Choice<ClipSort>[] = [
  { value: 'TIME', name: ({ lookups }) => lookups.sorts.newest },
  { value: 'LAST_DAY', name: ({ lookups }) => lookups.sorts.lastDay },
  { value: 'LAST_WEEK', name: ({ lookups }) => lookups.sorts.lastWeek },
  { value: 'LAST_MONTH', name: ({ lookups }) => lookups.sorts.lastMonth },
  { value: 'ALL_TIME', name: ({ lookups }) => lookups.sorts.allTime },
];

/** Kinds of results of a search on a streaming platform. */
export const SEARCH_KINDS: readonly Choice<SearchFilter>[] = [
  { value: 'SearchStreams', name: ({ lookups }) => lookups.kinds.streams },
  { value: 'SearchChannels', name: ({ lookups }) => lookups.kinds.channels },
  { value: 'SearchGames', name: ({ lookups }) => lookups.kinds.games },
  { value: 'SearchVideos', name: ({ lookups }) => lookups.kinds.videos },
  { value: 'SearchClips', name: ({ lookups }) => lookups.kinds.clips },
];

/** Kinds of results of a search on a social platform. `Top` is the search without a filter. */
export const POST_KINDS: readonly Choice<'Top' | Exclude<SocialFilter, 'Lists'>>[] = [
  { value: 'Top', name: ({ lookups }) => lookups.postKinds.top },
  { value: 'Latest', name: ({ lookups }) => lookups.postKinds.latest },
  { value: 'Media', name: ({ lookups }) => lookups.postKinds.media },
  { value: 'People', name: ({ lookups }) => lookups.postKinds.people },
];

/** The chosen value, or the default. */
export function chosen<T extends string>(choices: readonly Choice<T>[], value: string | undefined, fallback: T): T {
  return choices.find((one) => one.value === value)?.value ?? fallback;
}

/** The name of a choice; within a sentence, its first letter is small. */
export function nameOfChoice(choices: readonly FieldChoice[], value: string, texts: Texts): string {
  return choices.find((one) => one.value === value)?.name(texts) ?? '';
}
