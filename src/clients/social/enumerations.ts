/** The kind of search results; by default, the best posts. */
export const SearchFilter = {
  People: 'People',
  Latest: 'Latest',
  Media: 'Media',
  Lists: 'Lists',
} as const;
export type SearchFilter = keyof typeof SearchFilter;

/** The home timeline in the order of the platform. */
export const HOME_TIMELINE_TYPE_FOR_YOU = 'HomeTimeline';
/** The home timeline of followed users, newest first. */
export const HOME_TIMELINE_TYPE_FOLLOWING = 'HomeLatestTimeline';

/** The two home timelines. */
export const HomeTimelineType = {
  HomeTimeline: HOME_TIMELINE_TYPE_FOR_YOU,
  HomeLatestTimeline: HOME_TIMELINE_TYPE_FOLLOWING,
} as const;
export type HomeTimelineType = keyof typeof HomeTimelineType;

/** Who can reply to a post; everyone by default. */
export const PostConversationFilters = {
  /** Users that the post mentions. */
  ByInvitation: 'ByInvitation',
  /** Users that the author follows. */
  Community: 'Community',
  Subscribers: 'Subscribers',
  Verified: 'Verified',
  /** Followers of the author. */
  Followers: 'Followers',
  Nobody: 'Nobody',
} as const;
export type PostConversationFilters = keyof typeof PostConversationFilters;

/** Who can quote a post; by default, the setting of the account. */
export const QuoteAudience = {
  everyone: 'everyone',
  /** Followers of the author. */
  followers: 'followers',
  nobody: 'nobody',
} as const;
export type QuoteAudience = keyof typeof QuoteAudience;

/** Who sees a post; by default, the setting of the account. */
export const PostVisibility = {
  public: 'public',
  /** Everyone, but not in public timelines. */
  unlisted: 'unlisted',
  /** Followers of the author. */
  followers: 'followers',
  /** Users that the post mentions. */
  direct: 'direct',
} as const;
export type PostVisibility = keyof typeof PostVisibility;

/** The order of posts in a community; newest first by default. */
export const CommunityPostsFilter = { Top: 'Top', Latest: 'Latest' } as const;
export type CommunityPostsFilter = keyof typeof CommunityPostsFilter;

/** The members of a community; all by default. */
export const CommunityMembersFilter = { Mods: 'Mods' } as const;
export type CommunityMembersFilter = keyof typeof CommunityMembersFilter;

/** The target languages of translations. */
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
