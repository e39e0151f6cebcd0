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
  /** Keeps which answer a message holds; a thread that stands where it stood before goes on from there, too. */
  keepMessage(message: string, point: ConversationPoint, atMs: number): Promise<void>;
  /** The answer from which a place goes on; `empty`: nothing is said there yet, and it is kept all the same. */
  findPlace(place: string): Promise<ConversationPoint | 'empty' | undefined>;
  keepPlace(place: string, point: ConversationPoint, atMs: number): Promise<void>;
  /** Has the thread that grew from a message be a place, of the message's answer; one that it is already stays as it is. */
  keepThread(message: string, atMs: number): Promise<void>;
  leavePlace(place: string): Promise<void>;
  /** How many tokens a conversation has cost, these included. */
  spend(conversation: string, tokens: number, atMs: number): Promise<number>;
  /** Drops all that leads to a conversation; places that are `shared` stay, and are empty. */
  forget(conversation: string, options: { readonly shared: (place: string) => boolean }): Promise<void>;
}

const MOST_AGE_MS = 90 * 24 * 60 * 60_000;
const MOST = 20_000;
const LOOK_EVERY_MS = 60 * 60_000;
/** Stands where a place has no conversation. */
const NONE = '';

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
      await db.transaction().execute(async (trx) => {
        const known = trx.selectFrom('answer_message').select('turn').where('message', '=', message);
        const before = await known.where('conversation', '=', conversation).executeTakeFirst();
        await trx
          .insertInto('answer_message')
          .values({ message, conversation, turn, at_ms: atMs })
          .onConflict((conflict) => conflict.column('message').doUpdateSet({ conversation, turn, at_ms: atMs }))
          .execute();
        if (!before) return;
        const thread = trx.updateTable('answer_place').set({ turn }).where('place', '=', message);
        await thread.where('conversation', '=', conversation).where('turn', '=', before.turn).execute();
      });
      await keepBounds(atMs);
    },

    async findPlace(place) {
      const query = db.selectFrom('answer_place').select(['conversation', 'turn']).where('place', '=', place);
      const point = await query.executeTakeFirst();
      return point?.conversation === NONE ? 'empty' : point;
    },

    async keepPlace(place, { conversation, turn }, atMs) {
      await db
        .insertInto('answer_place')
        .values({ place, conversation, turn, at_ms: atMs })
        .onConflict((conflict) => conflict.column('place').doUpdateSet({ conversation, turn, at_ms: atMs }))
        .execute();
      await keepBounds(atMs);
    },

    async keepThread(message, atMs) {
      // In one: a conversation that is forgotten meanwhile must not come back by it.
      await db
        .insertInto('answer_place')
        .columns(['place', 'conversation', 'turn', 'at_ms'])
        .expression((eb) =>
          eb
            .selectFrom('answer_message')
            .select(['message', 'conversation', 'turn', eb.val(atMs).as('at_ms')])
            .where('message', '=', message),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
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

    forget: (conversation, { shared }) =>
      db.transaction().execute(async (trx) => {
        await trx.deleteFrom('conversation_cost').where('conversation', '=', conversation).execute();
        await trx.deleteFrom('answer_message').where('conversation', '=', conversation).execute();
        const there = await trx.selectFrom('answer_place').select('place').where('conversation', '=', conversation).execute();
        for (const { place } of there.filter((row) => shared(row.place)))
          await trx.updateTable('answer_place').set({ conversation: NONE, turn: NONE }).where('place', '=', place).execute();
        await trx.deleteFrom('answer_place').where('conversation', '=', conversation).execute();
      }),
  };
}
