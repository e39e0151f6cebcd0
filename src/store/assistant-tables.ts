import type { Generated } from 'kysely';

/** The tables for conversations with the assistant. */
export interface AssistantTables {
  readonly conversation: ConversationTable;
  readonly transcript: TranscriptTable;
  readonly draft: DraftTable;
  readonly counted_question: CountedQuestionTable;
  readonly answer_message: AnswerMessageTable;
  readonly answer_place: AnswerPlaceTable;
  readonly conversation_cost: ConversationCostTable;
  readonly open_answer: OpenAnswerTable;
}

interface ConversationTable {
  id: string;
  begun_ms: number;
}

interface TranscriptTable {
  seq: Generated<number>;
  conversation: string;
  id: string;
  role: 'user' | 'assistant';
  text: string;
  created_ms: number;
  /** What the model reports about an answer: JSON. */
  note: string | null;
  /** The id of the message before. Messages before the last thousand are deleted. */
  after: string | null;
  /** The author of a question. */
  asker: string | null;
}

/** Drafts of the assistant that wait for a decision. */
interface DraftTable {
  id: string;
  conversation: string;
  asker: string | null;
  /** JSON. */
  content: string;
  state: 'open' | 'approved' | 'dropped';
  made_ms: number;
  decided_by: string | null;
}

/** Questions to the assistant, for as long as a quota counts them. */
interface CountedQuestionTable {
  id: string;
  person: string;
  server: string | null;
  asked_ms: number;
}

/** The answer that a Discord message shows. */
interface AnswerMessageTable {
  message: string;
  conversation: string;
  turn: string;
  at_ms: number;
}

/** The answer from which a channel or thread continues. */
interface AnswerPlaceTable {
  place: string;
  conversation: string;
  turn: string;
  at_ms: number;
}

/** The tokens that a conversation has used. */
interface ConversationCostTable {
  conversation: string;
  tokens: number;
  at_ms: number;
}

/** Answers in progress. */
interface OpenAnswerTable {
  id: string;
  channel: string;
  token: string | null;
  message: string | null;
  locale: string;
  asked_ms: number;
}
