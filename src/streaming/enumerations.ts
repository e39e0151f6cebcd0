/** The orders of streams. */
export const StreamSort = {
  VIEWER_COUNT: 'VIEWER_COUNT',
  VIEWER_COUNT_ASC: 'VIEWER_COUNT_ASC',
  STARTED_AT: 'STARTED_AT',
} as const;
export type StreamSort = keyof typeof StreamSort;
