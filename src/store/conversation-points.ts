import type { Kysely, Transaction } from 'kysely';
import type { ConversationPoint, ConversationPoints } from '#src/clients/assistant/conversation-state.ts';
import { isPostgres } from './dialect.ts';
import { inTransaction } from './transaction.ts';
import type { Tables } from './tables.ts';

const MOST_AGE_MS = 90 * 24 * 60 * 60_000;
const MOST = 20_000;
const PRUNE_EVERY_MS = 60 * 60_000;
/** The value for a channel without a conversation. */
const NONE = '';

/** Deletes points that were not used for a long time. */
export async function dropOldPoints(db: Kysely<Tables>, nowMs: number): Promise<void> {
  for (const table of ['answer_message', 'answer_place', 'conversation_cost'] as const) {
    const newest = db.selectFrom(table).select('at_ms').orderBy('at_ms', 'desc');
    const surplus = await newest.offset(MOST).limit(1).executeTakeFirst();
    const beforeMs = Math.max(nowMs - MOST_AGE_MS, surplus?.at_ms ?? 0);
    await db.deleteFrom(table).where('at_ms', '<=', beforeMs).execute();
  }
}

/** Conversation points in the database. `eraseDeleted` runs after a conversation is forgotten, which deletes its points last. */
export function createConversationPoints(db: Kysely<Tables>, eraseDeleted?: () => Promise<void>): ConversationPoints {
  let nextPruneMs = 0;

  async function prune(nowMs: number): Promise<void> {
    if (nowMs < nextPruneMs) return;
    nextPruneMs = nowMs + PRUNE_EVERY_MS;
    await dropOldPoints(db, nowMs);
  }

  return {
    findMessage: (message) =>
      db.selectFrom('answer_message').select(['conversation', 'answer as messageId']).where('message', '=', message).executeTakeFirst(),

    async keepMessage(message, point, atMs) {
      await inTransaction(db, (trx) => keepMessage(trx, message, { ...point, atMs }));
      await prune(atMs);
    },

    async findLocation(place) {
      const query = db.selectFrom('answer_place').select(['conversation', 'answer as messageId']).where('place', '=', place);
      const point = await query.executeTakeFirst();
      return point?.conversation === NONE ? 'empty' : point;
    },

    async keepLocation(place, { conversation, messageId }, atMs) {
      await db
        .insertInto('answer_place')
        .values({ place, conversation, answer: messageId, at_ms: atMs })
        .onConflict((conflict) => conflict.column('place').doUpdateSet({ conversation, answer: messageId, at_ms: atMs }))
        .execute();
      await prune(atMs);
    },

    keepThread: (message, atMs) => keepThread(db, message, atMs),

    async leaveLocation(place) {
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

    async forget(conversation, { shared }) {
      await inTransaction(db, (trx) => forget(trx, conversation, shared));
      await eraseDeleted?.();
    },
  };
}

/** Keeps the answer that a message shows. Its thread continues from a new answer if it continued from the one before. */
async function keepMessage(
  trx: Transaction<Tables>,
  message: string,
  { conversation, messageId, atMs }: ConversationPoint & { readonly atMs: number },
): Promise<void> {
  const known = trx.selectFrom('answer_message').select('answer').where('message', '=', message);
  const before = await known.where('conversation', '=', conversation).executeTakeFirst();
  await trx
    .insertInto('answer_message')
    .values({ message, conversation, answer: messageId, at_ms: atMs })
    .onConflict((conflict) => conflict.column('message').doUpdateSet({ conversation, answer: messageId, at_ms: atMs }))
    .execute();
  if (!before) return;
  const thread = trx.updateTable('answer_place').set({ answer: messageId }).where('place', '=', message);
  await thread.where('conversation', '=', conversation).where('answer', '=', before.answer).execute();
}

async function keepThread(db: Kysely<Tables>, message: string, atMs: number): Promise<void> {
  // One statement, so that a conversation that is being forgotten does not return.
  await db
    .insertInto('answer_place')
    .columns(['place', 'conversation', 'answer', 'at_ms'])
    .expression((eb) =>
      eb
        .selectFrom('answer_message')
        .select(['message', 'conversation', 'answer', eb.val(atMs).as('at_ms')])
        .where('message', '=', message)
        // A transaction that forgets the conversation ends before.
        .$if(isPostgres(db), (query) => query.forShare()),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function forget(trx: Transaction<Tables>, conversation: string, isShared: (place: string) => boolean): Promise<void> {
  await trx.deleteFrom('conversation_cost').where('conversation', '=', conversation).execute();
  await trx.deleteFrom('answer_message').where('conversation', '=', conversation).execute();
  const there = await trx.selectFrom('answer_place').select('place').where('conversation', '=', conversation).execute();
  for (const { place } of there.filter((row) => isShared(row.place)))
    await trx.updateTable('answer_place').set({ conversation: NONE, answer: NONE }).where('place', '=', place).execute();
  await trx.deleteFrom('answer_place').where('conversation', '=', conversation).execute();
}
