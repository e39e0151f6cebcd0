/** The orders of streams. */
export const StreamSort = {
  VIEWER_COUNT: 'VIEWER_COUNT',
  VIEWER_COUNT_ASC: 'VIEWER_COUNT_ASC',
  STARTED_AT: 'STARTED_AT',
} as const;
export type StreamSort = keyof typeof StreamSort;

/** The orders of videos. */
export const VideoSort = {
  TIME: 'TIME',
  VIEWS: 'VIEWS',
  TRENDING: 'TRENDING',
  /** The same as VIEWS. */
  VIEWER_COUNT: 'VIEWER_COUNT',
} as const;
export type VideoSort = keyof typeof VideoSort;

/** The orders of clips. TIME is newest first; the others are the most viewed clips of a time span. */
export const ClipSort = {
  TIME: 'TIME',
  VIEWS: 'VIEWS',
  /** The same as VIEWS. */
  VIEWER_COUNT: 'VIEWER_COUNT',
  LAST_DAY: 'LAST_DAY',
  LAST_WEEK: 'LAST_WEEK',
  LAST_MONTH: 'LAST_MONTH',
  ALL_TIME: 'ALL_TIME',
} as const;
export type ClipSort = keyof typeof ClipSort;

/** The kinds of search results. */
export const SearchFilter = {
  SearchStreams: 'SearchStreams',
  SearchChannels: 'SearchChannels',
  SearchVideos: 'SearchVideos',
  SearchGames: 'SearchGames',
  SearchClips: 'SearchClips',
} as const;
export type SearchFilter = keyof typeof SearchFilter;

/** The languages of clips and videos. */
export const Language = {
  AR: 'AR',
  ASL: 'ASL',
  BG: 'BG',
  CA: 'CA',
  CS: 'CS',
  DA: 'DA',
  DE: 'DE',
  EL: 'EL',
  EN: 'EN',
  ES: 'ES',
  FI: 'FI',
  FR: 'FR',
  HI: 'HI',
  HU: 'HU',
  ID: 'ID',
  IT: 'IT',
  JA: 'JA',
  KO: 'KO',
  MS: 'MS',
  NL: 'NL',
  NO: 'NO',
  OTHER: 'OTHER',
  PL: 'PL',
  PT: 'PT',
  RO: 'RO',
  RU: 'RU',
  SK: 'SK',
  SV: 'SV',
  TH: 'TH',
  TL: 'TL',
  TR: 'TR',
  UK: 'UK',
  VI: 'VI',
  ZH: 'ZH',
  ZH_HK: 'ZH_HK',
} as const;
export type Language = keyof typeof Language;
