import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** A turn of a conversation with the assistant. */
export interface ConversationPoint {
  readonly conversation: string;
  /** The id of the turn: the answer, or the question where it has none yet. */
  readonly turn: string;
}

/**
 * Where conversations stand: which message holds which answer, and from which answer a place goes on. Kept for as long as
 * conversations are, for 90 days from their last use, and the latest 20,000 of each.
 */
export interface AnswerPlaces {
  /** The answer that a message holds. */
  findMessage(message: string): Promise<ConversationPoint | undefined>;
  keepMessage(message: string, point: ConversationPoint, atMs: number): Promise<void>;
  /** The answer from which a place goes on. */
  findPlace(place: string): Promise<ConversationPoint | undefined>;
  keepPlace(place: string, point: ConversationPoint, atMs: number): Promise<void>;
  leavePlace(place: string): Promise<void>;
  /** How many tokens a conversation has cost, these included. */
  spend(conversation: string, tokens: number, atMs: number): Promise<number>;
  /** Drops all that leads to a conversation. */
  forget(conversation: string): Promise<void>;
}

const MOST_AGE_MS = 90 * 24 * 60 * 60_000;
const MOST = 20_000;
const LOOK_EVERY_MS = 60 * 60_000;

/** Those in the database. */
export function createAnswerPlaces(db: Kysely<Tables>): AnswerPlaces {
  let nextLookMs = 0;

  async function keepBounds(nowMs: number): Promise<void> {
    if (nowMs < nextLookMs) return;
    nextLookMs = nowMs + LOOK_EVERY_MS;
    for (const table of ['answer_message', 'answer_place', 'conversation_cost'] as const) {
      const newest = db.selectFrom(table).select('at_ms').orderBy('at_ms', 'desc');
      const surplus = await newest.offset(MOST).limit(1).executeTakeFirst();
      const beforeMs = Math.max(nowMs - MOST_AGE_MS, surplus?.at_ms ?? 0);
      await db.deleteFrom(table).where('at_ms', '<=', beforeMs).execute();
    }
  }

  return {
    findMessage: (message) =>
      db.selectFrom('answer_message').select(['conversation', 'turn']).where('message', '=', message).executeTakeFirst(),

    async keepMessage(message, { conversation, turn }, atMs) {
      await db
        .insertInto('answer_message')
        .values({ message, conversation, turn, at_ms: atMs })
        .onConflict((conflict) => conflict.column('message').doUpdateSet({ conversation, turn, at_ms: atMs }))
        .execute();
      await keepBounds(atMs);
    },

    findPlace: (place) => db.selectFrom('answer_place').select(['conversation', 'turn']).where('place', '=', place).executeTakeFirst(),

    async keepPlace(place, { conversation, turn }, atMs) {
      await db
        .insertInto('answer_place')
        .values({ place, conversation, turn, at_ms: atMs })
        .onConflict((conflict) => conflict.column('place').doUpdateSet({ conversation, turn, at_ms: atMs }))
        .execute();
      await keepBounds(atMs);
    },

    async leavePlace(place) {
      await db.deleteFrom('answer_place').where('place', '=', place).execute();
    },

    async spend(conversation, tokens, atMs) {
      const row = await db
        .insertInto('conversation_cost')
        .values({ conversation, tokens, at_ms: atMs })
        .onConflict((conflict) =>
          conflict.column('conversation').doUpdateSet((eb) => ({ tokens: eb('conversation_cost.tokens', '+', tokens), at_ms: atMs })),
        )
        .returning('tokens')
        .executeTakeFirstOrThrow();
      return row.tokens;
    },

    async forget(conversation) {
      await db.deleteFrom('conversation_cost').where('conversation', '=', conversation).execute();
      await db.deleteFrom('answer_message').where('conversation', '=', conversation).execute();
      await db.deleteFrom('answer_place').where('conversation', '=', conversation).execute();
    },
  };
}
