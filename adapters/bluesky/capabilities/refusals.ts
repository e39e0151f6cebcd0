/** Why a search finds no lists. */
export const noListSearch = {
  reason: 'NO_ENDPOINT',
  detail: 'Bluesky searches posts and people, not lists.',
  alternatives: ['getLists'],
} as const;

/** Why a filter is not taken. */
export const noSuchAudience = {
  reason: 'NO_FEATURE',
  detail: 'Bluesky knows neither subscribers nor paid marks.',
  alternatives: ['Followers', 'Community', 'ByInvitation', 'Nobody'],
} as const;
