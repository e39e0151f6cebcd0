import type { Clock } from '#src/clock.ts';
import { cutData, wrapData } from './data.ts';
import type { AnswerEnd, AnswerNote, AssistantPlatform, Prompt, ToolCall } from './port.ts';
import { INSTRUCTIONS } from './prompt.ts';
import type { UsedTool } from './records.ts';
import type { Tool, ToolContext } from './tool.ts';
import { eachUntilAborted } from './each-until-aborted.ts';
import { useTools } from './use-tools.ts';
import { withholding } from './withholding.ts';

/** So often the model is asked for one answer; the last time it has no tools. */
const MOST_ROUNDS = 6;
/** An answer that is longer ends there. */
const MOST_CHARS = 16_000;
/** So often tools are used for one answer: what they ask platforms for, rules may lack. */
const MOST_USES = 12;
/** So many drafts come of one answer. */
const MOST_DRAFTS = 3;
/** So much of what a tool gave is kept for the questions that follow. */
const KEPT_OUTPUT_CHARS = 1_500;
/** What is shorter opens nothing: where a server of one's own wants a key, people write `none`. */
const SHORTEST_SECRET = 8;

/** A part of an answer, as it is made. */
export type AnswerPiece =
  | string
  /** The name of a tool that works until the next piece. */
  | { readonly tool: string }
  /** The id of a draft that was kept for the person who asked. */
  | { readonly draft: string }
  /** The end: the id of the answer's turn, from which the conversation can go on. */
  | { readonly turn: string };

/** An answer, whole. */
export interface Answered {
  readonly text: string;
  readonly note: AnswerNote;
  readonly tools: readonly UsedTool[];
}

export interface AnsweringOptions {
  readonly platform: AssistantPlatform;
  readonly messages: readonly Prompt[];
  readonly tools: ReadonlyMap<string, Tool>;
  /** What must not be said, beside the instructions. */
  readonly secrets: readonly string[];
  readonly context: Omit<ToolContext, 'signal'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Asks the model, uses the tools that it wants and asks it again, until it has answered. */
export async function* answering(options: AnsweringOptions): AsyncGenerator<AnswerPiece, Answered> {
  const { platform, tools, context, clock, signal } = options;
  const messages = [...options.messages];
  const held = withholding([...INSTRUCTIONS, ...options.secrets.filter(({ length }) => length >= SHORTEST_SECRET)]);
  const used: UsedTool[] = [];
  const drafts = new Set<string>();
  let text = '';
  let note: AnswerNote = {};

  for (let round = 1; ; round++) {
    const offered = [...tools.values()].map(({ name, description, parameters }) => ({ name, description, parameters }));
    const mustAnswer = round === MOST_ROUNDS;
    const request = { messages, ...(offered.length > 0 && { tools: offered, mustAnswer }), signal };
    let said = '';
    let end: AnswerEnd = {};
    for await (const piece of eachUntilAborted(platform.answer(request), signal)) {
      if (typeof piece !== 'string') end = piece;
      else {
        const gap = said === '' && text !== '' ? '\n\n' : '';
        said += piece;
        const safe = held.push(gap + piece);
        text += safe;
        if (safe !== '') yield safe;
        if (text.length > MOST_CHARS) break;
      }
    }
    const { calls = [], ...more } = end;
    note = together(note, text.length > MOST_CHARS ? { ...more, finishReason: 'length' } : more);
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
    messages.push({ role: 'assistant', text: said, calls }, ...outcomes.map(toPrompt));
    used.push(...outcomes.map((outcome) => ({ ...outcome, output: cutData(outcome.output, KEPT_OUTPUT_CHARS) })));
  }

  const rest = held.end();
  text += rest;
  if (rest !== '') yield rest;
  return { text, note, tools: used };
}

function toPrompt({ id, name, output }: ToolCall & { readonly output: string }): Prompt {
  return { role: 'tool', call: id, text: wrapData(name, output) };
}

/** What is said of an answer that took several rounds: its last word, and the sum of what it cost. */
function together(before: AnswerNote, now: AnswerNote): AnswerNote {
  if (!before.usage || !now.usage) return { ...before, ...now };
  const [one, other] = [before.usage, now.usage];
  const usage = { inputTokens: one.inputTokens + other.inputTokens, outputTokens: one.outputTokens + other.outputTokens };
  return { ...before, ...now, usage };
}
