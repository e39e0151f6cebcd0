import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ToolCall } from '#src/assistant/port.ts';

/** A part of a call as it is streamed. OpenAI cuts calls to pieces; xAI and Ollama send each as a whole, not always with an index or an id. */
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

/** More than any call needs: who sends more does not stop by itself. */
const MOST_CALLS = 64;
const MOST_CHARS = 262_144;

interface Gathered {
  readonly index: number | undefined;
  readonly id: string;
  /** Whether the server said so. */
  readonly isNamed: boolean;
  name: string;
  input: string;
}

/** Puts calls together. */
export interface Gathering {
  /** False: it is more than anybody means. */
  add(delta: CallDelta): boolean;
  readonly calls: readonly ToolCall[];
}

export function gatheringCalls(): Gathering {
  const calls: Gathered[] = [];
  let chars = 0;

  function callOf({ index, id, function: said }: CallDelta): Gathered {
    const known = index === null || index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
    // Ollama gives all calls of an answer the same index, each with an id of its own; without both, a name begins a call.
    const isOther = id ? known?.isNamed && known.id !== id : index === null || index === undefined ? Boolean(said?.name) : false;
    if (known && !isOther) return known;
    const call = { index: index ?? undefined, id: id || `call_${randomUUID()}`, isNamed: Boolean(id), name: '', input: '' };
    calls.push(call);
    return call;
  }

  return {
    add(delta) {
      const call = callOf(delta);
      const { name, arguments: input } = delta.function ?? {};
      // Some repeat the name with every piece.
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
