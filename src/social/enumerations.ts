/** What a search looks for; without a filter, the posts that fit best. */
export const SearchFilter = {
  People: 'People',
  Latest: 'Latest',
  Media: 'Media',
  Lists: 'Lists',
} as const;
export type SearchFilter = keyof typeof SearchFilter;

/** The order of the home timeline: what the platform thinks fit. */
export const HOME_TIMELINE_TYPE_FOR_YOU = 'HomeTimeline';
/** The order of the home timeline: newest first, of those that one follows. */
export const HOME_TIMELINE_TYPE_FOLLOWING = 'HomeLatestTimeline';

/** The two home timelines. */
export const HomeTimelineType = {
  HomeTimeline: HOME_TIMELINE_TYPE_FOR_YOU,
  HomeLatestTimeline: HOME_TIMELINE_TYPE_FOLLOWING,
} as const;
export type HomeTimelineType = keyof typeof HomeTimelineType;

/** Who may answer a post; without a filter, everybody. */
export const PostConversationFilters = {
  /** Those whom the post mentions. */
  ByInvitation: 'ByInvitation',
  /** Those whom the author follows. */
  Community: 'Community',
  Subscribers: 'Subscribers',
  Verified: 'Verified',
  /** Those who follow the author. */
  Followers: 'Followers',
  Nobody: 'Nobody',
} as const;
export type PostConversationFilters = keyof typeof PostConversationFilters;

/** Who sees a post; without it, the default of the account holds. */
export const PostVisibility = {
  public: 'public',
  /** Everybody, but it is not shown in public timelines. */
  unlisted: 'unlisted',
  /** Those who follow the author. */
  private: 'private',
  /** Those whom the post mentions. */
  direct: 'direct',
} as const;
export type PostVisibility = keyof typeof PostVisibility;

/** Which posts of a community; without a filter, the newest first. */
export const CommunityPostsFilter = { Top: 'Top', Latest: 'Latest' } as const;
export type CommunityPostsFilter = keyof typeof CommunityPostsFilter;

/** Which members of a community; without a filter, all. */
export const CommunityMembersFilter = { Mods: 'Mods' } as const;
export type CommunityMembersFilter = keyof typeof CommunityMembersFilter;

/** The languages that a post can be translated into. */
export const Language = {
  ARABIC: 'ar',
  ARABIC_FEMININE: 'ar-x-fm',
  BULGARIAN: 'bg',
  BANGLA: 'bn',
  CATALAN: 'ca',
  CZECH: 'cs',
  DANISH: 'da',
  GERMAN: 'de',
  GREEK: 'el',
  ENGLISH: 'en',
  BRITISH_ENGLISH: 'en-gb',
  SPANISH: 'es',
  BASQUE: 'eu',
  PERSIAN: 'fa',
  FINNISH: 'fi',
  FILIPINO: 'fil',
  FRENCH: 'fr',
  IRISH: 'ga',
  GALICIAN: 'gl',
  GUJARATI: 'gu',
  HEBREW: 'he',
  HINDI: 'hi',
  CROATIAN: 'hr',
  HUNGARIAN: 'hu',
  INDONESIAN: 'id',
  ITALIAN: 'it',
  JAPANESE: 'ja',
  KANNADA: 'kn',
  KOREAN: 'ko',
  MARATHI: 'mr',
  MALAY: 'msa',
  DUTCH: 'nl',
  NORWEGIAN: 'no',
  POLISH: 'pl',
  PORTUGUESE: 'pt',
  ROMANIAN: 'ro',
  RUSSIAN: 'ru',
  SLOVAK: 'sk',
  SERBIAN: 'sr',
  SWEDISH: 'sv',
  TAMIL: 'ta',
  THAI: 'th',
  TURKISH: 'tr',
  UKRAINIAN: 'uk',
  URDU: 'ur',
  VIETNAMESE: 'vi',
  SIMPLIFIED_CHINESE: 'zh-cn',
  TRADITIONAL_CHINESE: 'zh-tw',
} as const;
export type Language = (typeof Language)[keyof typeof Language];
