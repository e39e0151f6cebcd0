import type { ToolDeclaration } from './port.ts';

/** For whom a tool works. */
export interface ToolContext {
  readonly conversation: string;
  /** The id of the question. */
  readonly question: string;
  /** Who asked, as the question says it. */
  readonly by: string | undefined;
  /** Aborted when nobody waits for the answer any more, and when the tool takes too long. */
  readonly signal: AbortSignal;
}

/** What a tool gives. */
export interface ToolResult {
  /** For the model, which is told that it is data. */
  readonly text: string;
  /** The id of a draft that it kept: whoever listens can have it approved. */
  readonly draft?: string | undefined;
}

/** Something that the model can have done while it answers. */
export interface Tool extends ToolDeclaration {
  /** Whether it keeps drafts: of those an answer has few. */
  readonly drafts?: boolean | undefined;
  /** A `ToolError` is told to the model; of any other failure it learns that there was one. */
  run(input: unknown, context: ToolContext): Promise<ToolResult>;
}

/** Why a tool did nothing, in words that the model may know and repeat. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
