import type { ToolDeclaration, ToolCall, AnswerRequest, AssistantPlatform, Prompt } from './port.ts';
import type { Clock } from '#src/clock.ts';
import { cutData } from './prompt.ts';
import { PlatformError } from '#src/errors.ts';

/** The question that a tool works for. */
export interface ToolContext {
  readonly conversation: string;
  /** The id of the question. */
  readonly question: string;
  /** The author of the question. */
  readonly by: string | undefined;
  /** Aborts when no caller waits for the answer, and when the tool takes too long. */
  readonly signal: AbortSignal;
}

/** The result of a tool. */
export interface ToolResult {
  /** The result for the model, which treats it as data. */
  readonly text: string;
  /** The id of a draft that the tool stored. */
  readonly draft?: string | undefined;
}

/** A tool that the model can use while it answers. */
export interface Tool extends ToolDeclaration {
  /** Whether the tool stores drafts, whose number per answer is limited. */
  readonly drafts?: boolean | undefined;
  /** Runs the tool. The model receives the message of a `ToolError`; of any other error it only learns that there was one. */
  run(input: unknown, context: ToolContext): Promise<ToolResult>;
}

/** Why a tool failed, in a message that the model may repeat. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** The longest run of a tool. */
const MOST_MS = 20_000;
/** The number of parallel calls. The model learns that further calls did not run. */
const MOST_CALLS = 6;
const MOST_INPUT_CHARS = 24_000;
const MOST_OUTPUT_CHARS = 8_000;

export interface UseOptions {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly context: Omit<ToolContext, 'signal'>;
  /** The number of uses left for this answer. */
  readonly usesLeft: number;
  /** The number of drafts left for this answer. */
  readonly draftsLeft: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Runs the calls of the model in parallel. A failure becomes a result. Only an abort of `signal` rejects. */
export async function useTools(calls: readonly ToolCall[], options: UseOptions): Promise<readonly ToolResult[]> {
  const draftCalls = calls.filter(({ name }) => options.tools.get(name)?.drafts);
  const tooMany = new Set(draftCalls.slice(options.draftsLeft));
  return Promise.all(
    calls.map(async (call, index) => {
      if (index >= options.usesLeft)
        return { text: 'Not done: the limit of look-ups for one answer is reached. Answer with the results that you have.' };
      if (index >= MOST_CALLS) return { text: `Not done: the limit is ${MOST_CALLS} tools at once.` };
      if (tooMany.has(call)) return { text: 'Not done: the limit of drafts for one answer is reached.' };
      const result = await useTool(call, options).catch((error: unknown) => failed(error, options.signal));
      return { ...result, text: cutData(result.text, MOST_OUTPUT_CHARS) };
    }),
  );
}

async function useTool({ name, input }: ToolCall, { tools, context, clock, signal }: UseOptions): Promise<ToolResult> {
  const tool = tools.get(name);
  if (!tool) throw new ToolError('there is no such tool');
  if (input.length > MOST_INPUT_CHARS) throw new ToolError(`its input is longer than ${MOST_INPUT_CHARS} characters`);
  const parsedInput = parseJson(input);
  const late = new AbortController();
  const done = new AbortController();
  try {
    return await Promise.race([
      tool.run(parsedInput, { ...context, signal: AbortSignal.any([signal, late.signal]) }),
      clock.sleep(MOST_MS, AbortSignal.any([signal, done.signal])).then((): never => {
        throw new ToolError('it took too long');
      }),
    ]);
  } finally {
    late.abort();
    done.abort();
  }
}

function parseJson(input: string): unknown {
  // Some models write nothing for an empty input.
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    throw new ToolError('its input is not JSON');
  }
}

function failed(error: unknown, signal: AbortSignal): ToolResult {
  signal.throwIfAborted();
  return { text: `Failed: ${error instanceof ToolError ? error.message : 'something went wrong'}.` };
}

/** Asks again without tools if a model refuses a question with tools, because not every model supports them. */
export function withToolsFallback(platform: AssistantPlatform): AssistantPlatform {
  return {
    name: platform.name,
    account: platform.account,
    model: platform.model,

    async *answer(request) {
      let hasBegun = false;
      try {
        for await (const piece of platform.answer(request)) {
          hasBegun = true;
          yield piece;
        }
      } catch (error) {
        const isRefusal = error instanceof PlatformError && error.fault === 'rejected';
        if (hasBegun || !isRefusal || request.tools === undefined) throw error;
        yield* platform.answer(withoutTools(request));
      }
    },
  };
}

/** The request without tools and tool results. */
function withoutTools({ messages, signal }: AnswerRequest): AnswerRequest {
  const spoken = messages.flatMap((prompt): readonly Prompt[] => {
    if (prompt.role === 'tool') return [{ role: 'user', text: prompt.text }];
    if (prompt.role !== 'assistant') return [prompt];
    return prompt.text === '' ? [] : [{ role: 'assistant', text: prompt.text }];
  });
  return { messages: spoken, signal };
}
