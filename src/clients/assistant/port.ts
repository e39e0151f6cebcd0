import type { JsonObject } from '#src/clients/operation/json.ts';
import type { AssistantMessage } from './records.ts';

/** A call of a tool by the model. */
export interface ToolCall {
  /** The model's id of the call. */
  readonly id: string;
  /** The tool's name, as the model wrote it. */
  readonly name: string;
  /** The input: JSON, if the model follows the protocol. */
  readonly input: string;
}

/** The description of a tool for the model. */
export interface ToolDeclaration {
  /** At most 64 letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the input. */
  readonly parameters: JsonObject;
}

/** A message for the model. */
export type Prompt =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly ToolCall[] | undefined }
  /** The result of a call. */
  | { readonly role: 'tool'; readonly text: string; readonly call: string };

export interface AnswerRequest {
  /** The messages so far. The last one is the question or a result of a call. */
  readonly messages: readonly Prompt[];
  readonly tools?: readonly ToolDeclaration[] | undefined;
  /** Whether the model must answer now, without calls. */
  readonly mustAnswer?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the model reports about its answer. */
export type AnswerNote = Pick<AssistantMessage, 'finishReason' | 'usage' | 'remoteId'>;

/** The end of an answer, with the calls whose results the model waits for. */
export interface AnswerEnd extends AnswerNote {
  readonly calls?: readonly ToolCall[] | undefined;
}

/** The cause of an error for a conversation that is longer than the model accepts. */
export const CONVERSATION_TOO_LONG = 'conversationTooLong';

/** An adapter: one model behind one account. */
export interface AssistantPlatform {
  /** The protocol, for example `openai`. */
  readonly name: string;
  /** The account's name in `fanfare.yaml`, or `assistant`. */
  readonly account: string;
  readonly model: string;
  /** Yields the answer piece by piece, then its end; throws a `PlatformError` on failure. */
  answer(request: AnswerRequest): AsyncIterable<string | AnswerEnd>;
}
