import type { Generated } from 'kysely';

/** What is kept of conversations with the assistant. */
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
  /** What the model says about an answer: JSON. */
  note: string | null;
  /** The id of the turn that it follows; gone are those before the last thousand. */
  after: string | null;
  /** Who says it. */
  asker: string | null;
}

/** What the assistant wrote, for a person to decide about. */
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

/** Questions to the assistant, for as long as a quota looks back. */
interface CountedQuestionTable {
  id: string;
  person: string;
  server: string | null;
  asked_ms: number;
}

/** Which answer of the assistant a message holds. */
interface AnswerMessageTable {
  message: string;
  conversation: string;
  turn: string;
  at_ms: number;
}

/** From which answer of the assistant a place goes on. */
interface AnswerPlaceTable {
  place: string;
  conversation: string;
  turn: string;
  at_ms: number;
}

/** What conversations with the assistant have cost. */
interface ConversationCostTable {
  conversation: string;
  tokens: number;
  at_ms: number;
}

/** Answers of the assistant that are being made. */
interface OpenAnswerTable {
  id: string;
  channel: string;
  token: string | null;
  message: string | null;
  locale: string;
  asked_ms: number;
}
