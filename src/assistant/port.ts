import type { AssistantMessage } from './records.ts';

/** One turn as the model is given it. */
export interface Prompt {
  readonly role: 'system' | AssistantMessage['role'];
  readonly text: string;
}

interface AnswerRequest {
  /** The conversation so far; the question comes last. */
  readonly messages: readonly Prompt[];
  readonly signal?: AbortSignal | undefined;
}

/** What the model says about its answer, beside it. */
export type AnswerNote = Pick<AssistantMessage, 'finishReason' | 'usage' | 'remoteId'>;

/** An adapter: one model behind one account, as a plain object. */
export interface AssistantPlatform {
  /** The protocol it speaks, as `openai`. */
  readonly name: string;
  /** The account's name in `fanfare.yaml`, or `assistant`. */
  readonly account: string;
  readonly model: string;
  /** The answer, piece by piece as it is made, with a note about it at the end; a failure is a `PlatformError`. */
  answer(request: AnswerRequest): AsyncIterable<string | AnswerNote>;
}
