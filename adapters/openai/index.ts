import { z } from 'zod';
import type { AssistantPlatform, Prompt } from '#src/assistant/port.ts';
import type { Clock } from '#src/clock.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import { eventsIn } from './events.ts';
import { postStreaming } from './stream.ts';

export interface OpenaiOptions {
  /** What `/chat/completions` is appended to, as `https://api.openai.com/v1`. */
  readonly url: string;
  readonly apiKey: string;
  readonly model: string;
  readonly account?: string | undefined;
  readonly clock: Clock;
}

const END = '[DONE]';

const Chunk = z.object({
  error: z.unknown().optional(),
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }).nullish() })).default([]),
});

/** A model behind an OpenAI-compatible address, whoever runs it. */
export function openai({ url, apiKey, model, account = 'assistant', clock }: OpenaiOptions): AssistantPlatform {
  return {
    name: 'openai',
    account,
    model,

    async *answer({ messages, signal }) {
      const body = { model, messages: messages.map(toWire), stream: true };
      for await (const event of eventsIn(postStreaming({ url, path: '/chat/completions', apiKey, body, clock, signal }))) {
        if (event === END) return;
        const text = textOf(event);
        if (text !== '') yield text;
      }
    },
  };
}

function toWire({ role, text }: Prompt): object {
  return { role, content: text };
}

function textOf(event: string): string {
  const chunk = Chunk.safeParse(parseJson(event));
  if (!chunk.success) throw failure('The model answered with something that cannot be read.', 'malformed');
  const { error, choices } = chunk.data;
  if (error !== undefined && error !== null) throw failure('The model broke off its answer.', 'unavailable');
  return choices[0]?.delta?.content ?? '';
}

function failure(message: string, fault: Fault): PlatformError {
  return new PlatformError(message, { platform: 'openai', fault });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
