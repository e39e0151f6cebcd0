/** Where people live, as far as it shows in when and in what language they stream. */
export interface Zone {
  readonly language: string;
  /** Hours east of UTC. */
  readonly offsetHours: number;
  /** How many live there, against the others. */
  readonly weight: number;
}

/** Where the streamers of the world live. */
export const zones: readonly Zone[] = [
  { language: 'en', offsetHours: -8, weight: 9 },
  { language: 'en', offsetHours: -6, weight: 8 },
  { language: 'en', offsetHours: -5, weight: 12 },
  { language: 'en', offsetHours: 0, weight: 9 },
  { language: 'en', offsetHours: 10, weight: 4 },
  { language: 'en', offsetHours: 5.5, weight: 3 },
  { language: 'es', offsetHours: -6, weight: 6 },
  { language: 'es', offsetHours: -3, weight: 5 },
  { language: 'es', offsetHours: 1, weight: 6 },
  { language: 'pt', offsetHours: -3, weight: 8 },
  { language: 'pt', offsetHours: 0, weight: 1 },
  { language: 'de', offsetHours: 1, weight: 8 },
  { language: 'fr', offsetHours: 1, weight: 7 },
  { language: 'fr', offsetHours: -5, weight: 1 },
  { language: 'it', offsetHours: 1, weight: 3 },
  { language: 'pl', offsetHours: 1, weight: 3 },
  { language: 'tr', offsetHours: 3, weight: 3 },
  { language: 'ru', offsetHours: 3, weight: 6 },
  { language: 'ru', offsetHours: 7, weight: 2 },
  { language: 'zh', offsetHours: 8, weight: 4 },
  { language: 'ko', offsetHours: 9, weight: 7 },
  { language: 'ja', offsetHours: 9, weight: 7 },
];

/** The hour of the day there, with its fraction. */
export function localHour({ offsetHours }: Zone, atMs: number): number {
  return (((atMs / 3_600_000 + offsetHours) % 24) + 24) % 24;
}
