/** What a search looks for; without a filter, the posts that fit best. */
export const SearchFilter = {
  People: 'People',
  Latest: 'Latest',
  Media: 'Media',
  Lists: 'Lists',
} as const;
export type SearchFilter = keyof typeof SearchFilter;
