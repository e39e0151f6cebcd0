import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Prompt, ToolCall, ToolDeclaration } from '#src/clients/assistant/port.ts';

/** A message in the form of the protocol. */
export function messageToWire(prompt: Prompt): object {
  const { role, text: content } = prompt;
  if (role === 'tool') return { role, tool_call_id: prompt.call, content };
  if (role !== 'assistant' || !prompt.calls) return { role, content };
  const tool_calls = prompt.calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: input } }));
  return { role, content: content === '' ? null : content, tool_calls };
}

export function toolToWire({ name, description, parameters }: ToolDeclaration): object {
  return { type: 'function', function: { name, description, parameters } };
}

/** A part of a streamed call. OpenAI splits calls; xAI and Ollama send whole calls, sometimes without index or id. */
export const CallDelta = z.object({
  index: z.int().min(0).nullish(),
  id: z.string().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});
type CallDelta = z.output<typeof CallDelta>;

/** The limits of one answer. A model that exceeds them would not stop. */
const MOST_CALLS = 64;
const MOST_CHARS = 262_144;

interface PartialCall {
  readonly index: number | undefined;
  readonly id: string;
  /** Whether the server stated the id. */
  readonly isNamed: boolean;
  name: string;
  input: string;
}

/** Assembles tool calls from their deltas. */
interface ToolCallAssembler {
  /** Adds a delta; false if the calls exceed the limits. */
  add(delta: CallDelta): boolean;
  readonly calls: readonly ToolCall[];
}

export function toolCallAssembler(): ToolCallAssembler {
  const calls: PartialCall[] = [];
  let chars = 0;

  function callOf({ index, id, function: called }: CallDelta): PartialCall {
    const known = index === null || index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
    // Ollama gives all calls the same index and different ids. Without both, a name begins a call.
    const isOther = id ? known?.isNamed && known.id !== id : index === null || index === undefined ? Boolean(called?.name) : false;
    if (known && !isOther) return known;
    const call = { index: index ?? undefined, id: id || `call_${randomUUID()}`, isNamed: Boolean(id), name: '', input: '' };
    calls.push(call);
    return call;
  }

  return {
    add(delta) {
      const call = callOf(delta);
      const { name, arguments: input } = delta.function ?? {};
      // Some servers repeat the name with every delta.
      if (name && call.name !== name) call.name += name;
      const text = typeof input === 'string' ? input : input ? JSON.stringify(input) : '';
      call.input += text;
      chars += text.length + (name?.length ?? 0);
      return calls.length <= MOST_CALLS && chars <= MOST_CHARS;
    },
    get calls() {
      return calls.map(({ id, name, input }) => ({ id, name, input }));
    },
  };
}
