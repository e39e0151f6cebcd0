import type { JsonObject } from '#src/operation/json.ts';
import type { AssistantMessage } from './records.ts';

/** That the model wants a tool to be used. */
export interface ToolCall {
  /** The model's own name of the call. */
  readonly id: string;
  /** The tool's name, as the model wrote it. */
  readonly name: string;
  /** What the tool is given: JSON, if the model keeps to the protocol. */
  readonly input: string;
}

/** What a model is told of a tool. */
export interface ToolDeclaration {
  /** Letters, digits, `_` and `-`, 64 of them at most. */
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its input. */
  readonly parameters: JsonObject;
}

/** One turn as the model is given it. */
export type Prompt =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly ToolCall[] | undefined }
  /** What came of a call. */
  | { readonly role: 'tool'; readonly text: string; readonly call: string };

export interface AnswerRequest {
  /** The conversation so far; the question, or what came of calls, stands last. */
  readonly messages: readonly Prompt[];
  readonly tools?: readonly ToolDeclaration[] | undefined;
  /** The model has to answer now, and calls nothing any more. */
  readonly mustAnswer?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the model says about its answer, beside it. */
export type AnswerNote = Pick<AssistantMessage, 'finishReason' | 'usage' | 'remoteId'>;

/** The end of what the model says: it waits for what comes of its calls, where it made some. */
export interface AnswerEnd extends AnswerNote {
  readonly calls?: readonly ToolCall[] | undefined;
}

/** An adapter: one model behind one account, as a plain object. */
export interface AssistantPlatform {
  /** The protocol it speaks, as `openai`. */
  readonly name: string;
  /** The account's name in `fanfare.yaml`, or `assistant`. */
  readonly account: string;
  readonly model: string;
  /** The answer, piece by piece as it is made, with its end behind it; a failure is a `PlatformError`. */
  answer(request: AnswerRequest): AsyncIterable<string | AnswerEnd>;
}
