import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import type { AsType } from './rule-version-tables.ts';

/** The tables of the processes that share the bot in Discord. */
export interface DiscordTables {
  readonly shard_state: ShardStateTable;
  readonly handled_event: HandledEventTable;
  readonly answer_writer: AnswerWriterTable;
}

/** The only row has the id 1. */
interface ShardStateTable {
  id: number;
  version: number;
  state: unknown;
}

interface HandledEventTable {
  id: string;
  handled_ms: number;
}

interface AnswerWriterTable {
  answer: string;
  process: string;
}

/** The same database with the tables of Discord. */
export function asDiscord(db: Kysely<Tables>): Kysely<Tables & DiscordTables> {
  return db.withTables<AsType<DiscordTables>>();
}
