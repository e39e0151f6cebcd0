import { bigint, sequence, table, text } from './schema/table.ts';

/** Conversations with the assistant. */
export const ASSISTANT_TABLES = {
  conversation: table({ id: text(), begun_ms: bigint() }, { key: ['id'] }),

  transcript: table(
    {
      seq: sequence(),
      conversation: text(),
      id: text(),
      role: text<'user' | 'assistant'>(),
      text: text(),
      created_ms: bigint(),
      /** What the model reports about an answer: JSON. */
      note: text().optional(),
      /** The id of the message before. Messages before the last thousand are deleted. */
      after: text().optional(),
      /** The author of a question. */
      asker: text().optional(),
    },
    {
      unique: ['conversation', 'id'],
      indexes: {
        conversation: { on: 'conversation, seq' },
        after: { on: 'conversation, after' },
        asker: { on: 'asker, conversation', where: 'asker is not null' },
      },
    },
  ),

  /** Drafts of the assistant that wait for a decision. */
  draft: table(
    {
      id: text(),
      conversation: text(),
      asker: text().optional(),
      /** JSON. */
      content: text(),
      state: text<'open' | 'approved' | 'dropped'>().check("state in ('open', 'approved', 'dropped')"),
      made_ms: bigint(),
      decided_by: text().optional(),
    },
    {
      key: ['id'],
      withoutRowId: true,
      indexes: { made: { on: 'made_ms' }, open: { on: 'asker, made_ms', where: "state = 'open'" } },
    },
  ),

  /** Questions to the assistant, for as long as a quota counts them. */
  counted_question: table(
    { id: text(), person: text(), server: text().optional(), asked_ms: bigint() },
    {
      key: ['id'],
      withoutRowId: true,
      indexes: { person: { on: 'person, asked_ms' }, server: { on: 'server, asked_ms' }, asked: { on: 'asked_ms' } },
    },
  ),

  /** The answer that a Discord message shows. */
  answer_message: table(
    { message: text(), conversation: text(), answer: text(), at_ms: bigint() },
    { key: ['message'], withoutRowId: true, indexes: { at: { on: 'at_ms' }, conversation: { on: 'conversation' } } },
  ),

  /** The answer from which a channel or thread continues. */
  answer_place: table(
    { place: text(), conversation: text(), answer: text(), at_ms: bigint() },
    { key: ['place'], withoutRowId: true, indexes: { at: { on: 'at_ms' }, conversation: { on: 'conversation' } } },
  ),

  /** The tokens that a conversation has used. */
  conversation_cost: table(
    { conversation: text(), tokens: bigint(), at_ms: bigint() },
    { key: ['conversation'], withoutRowId: true, indexes: { at: { on: 'at_ms' } } },
  ),

  /** Answers in progress. */
  open_answer: table(
    {
      id: text(),
      channel: text(),
      token: text().optional(),
      message: text().optional(),
      locale: text(),
      asked_ms: bigint(),
    },
    { key: ['id'], withoutRowId: true },
  ),
};
