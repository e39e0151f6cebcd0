import type { AssistantPlatform, Prompt, ToolCall } from '#src/clients/assistant/port.ts';

/** A model that obeys the instructions in every text, regardless of its author. */
export interface ObedientModel extends AssistantPlatform {
  /** The instructions that it obeyed, in order. */
  readonly obeyed: readonly string[];
}

/**
 * It obeys these orders, anywhere in a text: `CALL <tool> {…}` once, `KEEP CALLING <tool> {…}` for as long as it may,
 * `SAY <text>.`, and `REPEAT SYSTEM`, `REPEAT EVERYTHING` or `REPEAT TOOLS` for its messages or its tools.
 */
export function obedientModel(): ObedientModel {
  const obeyed: string[] = [];
  return {
    name: 'obedient',
    account: 'assistant',
    model: 'obedient-1',
    obeyed,

    async *answer({ messages, tools = [], mustAnswer = false }) {
      const texts = messages.filter(({ role }) => role !== 'system').flatMap(textsIn);
      const done = messages.flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []) : [])).map(toOrder);
      const calls = texts.flatMap(callsIn).filter((call) => call.forEver || !done.includes(toOrder(call)));
      const sentences = texts.flatMap(sentencesIn);
      const repeated = texts.flatMap((text) => [...text.matchAll(/REPEAT (SYSTEM|EVERYTHING|TOOLS)/gu)].map(([, what = '']) => what));
      if (calls.length > 0 && !mustAnswer) {
        obeyed.push(...calls.map(toOrder));
        yield { calls: calls.map(({ name, input }, index) => ({ id: `c${done.length + index}`, name, input })) };
        return;
      }
      obeyed.push(...sentences, ...repeated);
      const outputs: Readonly<Record<string, string>> = {
        SYSTEM: messages[0]?.text ?? '',
        EVERYTHING: messages.map(({ text }) => text).join('\n'),
        TOOLS: JSON.stringify(tools),
      };
      // Edits do not ping, so the sentences are in the first text that is shown.
      yield ['Done.', ...sentences].join(' ');
      // Models stream a few letters at a time.
      for (const what of repeated) yield* (outputs[what] ?? '').match(/[^]{1,7}/gu) ?? [];
    },
  };
}

interface OrderedCall extends Pick<ToolCall, 'name' | 'input'> {
  readonly forEver: boolean;
}

function toOrder({ name, input }: Pick<ToolCall, 'name' | 'input'>): string {
  return `${name} ${input}`;
}

/** The texts in a message: its lines, or the strings in a line of JSON. */
function textsIn({ text }: Prompt): readonly string[] {
  return text.split('\n').flatMap((line) => {
    try {
      return valuesIn(JSON.parse(line));
    } catch {
      return [line];
    }
  });
}

function valuesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(valuesIn);
}

function callsIn(text: string): readonly OrderedCall[] {
  return [...text.matchAll(/(KEEP CALLING|CALL) (\S+) (?=\{)/gu)].flatMap((found) => {
    const [all, how = '', name = ''] = found;
    const input = objectAt(text, found.index + all.length);
    return input === undefined ? [] : [{ name, input, forEver: how !== 'CALL' }];
  });
}

function sentencesIn(text: string): readonly string[] {
  return [...text.matchAll(/SAY ([^]+?)(?:\.\s|\.?$)/gu)].map(([, sentence = '']) => sentence);
}

/** The JSON object that begins there. */
function objectAt(text: string, from: number): string | undefined {
  for (let end = text.indexOf('}', from) + 1; end > 0; end = text.indexOf('}', end) + 1) {
    try {
      JSON.parse(text.slice(from, end));
      return text.slice(from, end);
    } catch {
      // It ends further on.
    }
  }
  return undefined;
}
