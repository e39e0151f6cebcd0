import { type Clock, untilAborted } from '#src/clock.ts';
import { cutData, wrapData, INSTRUCTIONS } from './prompt.ts';
import type { AnswerEnd, AnswerNote, AssistantPlatform, Prompt, ToolCall } from './port.ts';
import type { UsedTool } from './records.ts';
import { type Tool, type ToolContext, useTools } from './tools.ts';
import { createOutputFilter } from './output-filter.ts';

/** The number of model requests per answer. The last one has no tools. */
const MOST_ROUNDS = 6;
/** A longer answer ends here. */
const MOST_CHARS = 16_000;
/** The number of tool uses per answer. Rules share the requests that tools send. */
const MOST_USES = 12;
/** The number of drafts per answer. */
const MOST_DRAFTS = 3;
/** The length of a tool result that is kept for later questions. */
const KEPT_OUTPUT_CHARS = 1_500;
/** A shorter value is no secret: people write `none` where their own server wants a key. */
const SHORTEST_SECRET = 8;

/** A piece of an answer. */
export type AnswerPiece =
  | string
  /** The name of the tool that runs until the next piece. */
  | { readonly tool: string }
  /** The id of a draft that is stored for the author of the question. */
  | { readonly draft: string }
  /** The end: the id of the answer, from which the conversation can continue. */
  | { readonly answerId: string };

/** A complete answer. */
export interface Answered {
  readonly text: string;
  readonly note: AnswerNote;
  readonly tools: readonly UsedTool[];
}

export interface AnsweringOptions {
  readonly platform: AssistantPlatform;
  readonly messages: readonly Prompt[];
  readonly tools: ReadonlyMap<string, Tool>;
  /** Phrases that the answer must not contain, beside the instructions. */
  readonly secrets: readonly string[];
  readonly context: Omit<ToolContext, 'signal'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Asks the model, runs the tools that it calls, and repeats until it has answered. */
export async function* answering(options: AnsweringOptions): AsyncGenerator<AnswerPiece, Answered> {
  const { platform, tools, context, clock, signal } = options;
  const messages = [...options.messages];
  const filter = createOutputFilter([...INSTRUCTIONS, ...options.secrets.filter(({ length }) => length >= SHORTEST_SECRET)]);
  const used: UsedTool[] = [];
  const drafts = new Set<string>();
  let text = '';
  let note: AnswerNote = {};

  for (let round = 1; ; round++) {
    const offered = [...tools.values()].map(({ name, description, parameters }) => ({ name, description, parameters }));
    const mustAnswer = round === MOST_ROUNDS;
    const request = { messages, ...(offered.length > 0 && { tools: offered, mustAnswer }), signal };
    let roundText = '';
    let end: AnswerEnd = {};
    for await (const piece of eachUntilAborted(platform.answer(request), signal)) {
      if (typeof piece !== 'string') end = piece;
      else {
        const gap = roundText === '' && text !== '' ? '\n\n' : '';
        roundText += piece;
        const safe = filter.push(gap + piece);
        text += safe;
        if (safe !== '') yield safe;
        if (text.length > MOST_CHARS) break;
      }
    }
    const { calls = [], ...more } = end;
    note = mergeNotes(note, text.length > MOST_CHARS ? { ...more, finishReason: 'length' } : more);
    if (calls.length === 0 || mustAnswer || text.length > MOST_CHARS) break;

    for (const name of new Set(calls.map((call) => call.name))) if (tools.has(name)) yield { tool: name };
    const results = await useTools(calls, {
      tools,
      context,
      usesLeft: MOST_USES - used.length,
      draftsLeft: MOST_DRAFTS - drafts.size,
      clock,
      signal,
    });
    for (const { draft } of results) {
      if (draft === undefined || drafts.has(draft)) continue;
      drafts.add(draft);
      yield { draft };
    }
    const outcomes = calls.map((call, index) => ({ ...call, output: results[index]?.text ?? '' }));
    messages.push({ role: 'assistant', text: roundText, calls }, ...outcomes.map(toPrompt));
    used.push(...outcomes.map((outcome) => ({ ...outcome, output: cutData(outcome.output, KEPT_OUTPUT_CHARS) })));
  }

  const rest = filter.end();
  text += rest;
  if (rest !== '') yield rest;
  return { text, note, tools: used };
}

function toPrompt({ id, name, output }: ToolCall & { readonly output: string }): Prompt {
  return { role: 'tool', call: id, text: wrapData(name, output) };
}

/** Merges the notes of several requests: the last values, with the sum of the usage. */
function mergeNotes(before: AnswerNote, now: AnswerNote): AnswerNote {
  if (!before.usage || !now.usage) return { ...before, ...now };
  const [one, other] = [before.usage, now.usage];
  const usage = { inputTokens: one.inputTokens + other.inputTokens, outputTokens: one.outputTokens + other.outputTokens };
  return { ...before, ...now, usage };
}

/** Yields the values of `source` until `signal` aborts. Then it throws the reason at once, even if the source ignores the signal. */
async function* eachUntilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    const returned = Promise.resolve(iterator.return?.()).catch(() => undefined);
    // A source that hangs would not return either.
    if (!signal.aborted) await returned;
  }
}
