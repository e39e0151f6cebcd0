import type { Clock } from '#src/clock.ts';
import { cutData } from './data.ts';
import type { ToolCall } from './port.ts';
import { ToolError, type Tool, type ToolContext, type ToolResult } from './tool.ts';

/** So long a tool may work. */
const MOST_MS = 20_000;
/** So many uses of tools are done side by side; the model is told of the others. */
const MOST_CALLS = 6;
const MOST_INPUT_CHARS = 24_000;
const MOST_OUTPUT_CHARS = 8_000;

export interface UseOptions {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly context: Omit<ToolContext, 'signal'>;
  /** How many more uses there may be for this answer. */
  readonly usesLeft: number;
  /** How many drafts it may still keep. */
  readonly draftsLeft: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Does what the model asked for, side by side; what fails is told as the result. Only an abort of `signal` rejects. */
export async function useTools(calls: readonly ToolCall[], options: UseOptions): Promise<readonly ToolResult[]> {
  const drafting = calls.filter(({ name }) => options.tools.get(name)?.drafts);
  const tooMany = new Set(drafting.slice(options.draftsLeft));
  return Promise.all(
    calls.map(async (call, index) => {
      if (index >= options.usesLeft) return { text: 'Not done: enough was looked up for one answer. Answer with what you have.' };
      if (index >= MOST_CALLS) return { text: `Not done: no more than ${MOST_CALLS} tools at once.` };
      if (tooMany.has(call)) return { text: 'Not done: there are enough drafts for one answer.' };
      const result = await useTool(call, options).catch((error: unknown) => failed(error, options.signal));
      return { ...result, text: cutData(result.text, MOST_OUTPUT_CHARS) };
    }),
  );
}

async function useTool({ name, input }: ToolCall, { tools, context, clock, signal }: UseOptions): Promise<ToolResult> {
  const tool = tools.get(name);
  if (!tool) throw new ToolError('there is no such tool');
  if (input.length > MOST_INPUT_CHARS) throw new ToolError(`its input is longer than ${MOST_INPUT_CHARS} characters`);
  const given = parseJson(input);
  const late = new AbortController();
  const done = new AbortController();
  try {
    return await Promise.race([
      tool.run(given, { ...context, signal: AbortSignal.any([signal, late.signal]) }),
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
  // Some models write nothing at all where there is nothing to say.
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    throw new ToolError('its input is no JSON');
  }
}

function failed(error: unknown, signal: AbortSignal): ToolResult {
  signal.throwIfAborted();
  return { text: `Failed: ${error instanceof ToolError ? error.message : 'something went wrong'}.` };
}
