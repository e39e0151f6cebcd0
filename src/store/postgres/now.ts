import { sql } from 'kysely';

/** The time of the database in milliseconds since 1970. */
export const NOW_MS = sql<number>`now_ms()`;
