import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import type { AnswerNote, AssistantPlatform } from '#src/clients/assistant/port.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import { parseJson } from '#src/http/parse-json.ts';
import { assertCredentials } from '#src/clients/operation/credentials.ts';
import { assertServerAddresses } from '#src/clients/operation/server-address.ts';
import { faultWithin } from './errors.ts';
import { brokenOff, postStreaming } from './client.ts';
import { CallDelta, toolCallAssembler, messageToWire, toolToWire } from './wire.ts';

export interface OpenaiOptions {
  /** The address of the API, to which `/chat/completions` is appended, for example `https://api.openai.com/v1`. */
  readonly url: string;
  readonly apiKey: string;
  readonly model: string;
  readonly account?: string | undefined;
  readonly clock?: Clock | undefined;
}

const END = '[DONE]';

const count = z.int().min(0);

const Chunk = z.object({
  id: z.string().nullish(),
  error: z.unknown().optional(),
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), tool_calls: arrayOf(CallDelta).nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  // The usage is not requested, because some servers refuse that option. Other servers send it anyway.
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(undefined),
});
type Chunk = z.output<typeof Chunk>;

/** A model of any server with an OpenAI-compatible API. */
export function openai({ url, apiKey, model, account = 'assistant', clock = systemClock }: OpenaiOptions): AssistantPlatform {
  assertServerAddresses('openai', { url });
  assertCredentials('openai', { url }, 'pass the address of the API, for example https://api.openai.com/v1');
  assertCredentials('openai', { apiKey }, 'pass a key of the provider; a server without keys accepts any text');
  assertCredentials('openai', { model }, 'pass the name of a model of the provider');
  return {
    name: 'openai',
    account,
    model,

    async *answer({ messages, tools = [], mustAnswer = false, signal }) {
      let note: AnswerNote = {};
      const assembler = toolCallAssembler();
      const body = {
        model,
        messages: messages.map(messageToWire),
        stream: true,
        ...(tools.length > 0 && { tools: tools.map(toolToWire) }),
        ...(tools.length > 0 && mustAnswer && { tool_choice: 'none' }),
      };
      let isComplete = false;
      let isBegun = false;
      for await (const event of postStreaming({ url, path: '/chat/completions', apiKey, body, clock, signal })) {
        isComplete ||= event === END;
        if (event === END) break;
        const chunk = readChunk(event, isBegun);
        note = { ...note, ...noteOf(chunk) };
        isComplete ||= note.finishReason !== undefined;
        const { content, tool_calls } = chunk.choices?.[0]?.delta ?? {};
        for (const call of tool_calls ?? [])
          if (!assembler.add(call)) throw failure('openai: the model calls too many tools.', 'malformed');
        isBegun ||= Boolean(content) || Boolean(tool_calls);
        if (content) yield content;
      }
      if (!isComplete) throw brokenOff('it has no end');
      const { calls } = assembler;
      yield calls.length > 0 ? { ...note, calls } : note;
    },
  };
}

/** The part of an answer. `isBegun`: the model has answered a part, which providers bill. */
function readChunk(event: string, isBegun: boolean): Chunk {
  const chunk = Chunk.safeParse(parseJson(event));
  if (!chunk.success) throw failure('openai: a part of the response cannot be read: check ASSISTANT_URL.', 'malformed');
  const { error } = chunk.data;
  if (error !== undefined && error !== null) {
    const { fault, advice, cause } = faultWithin(error);
    const ofAnswer = isBegun && fault === 'unavailable' ? 'unanswered' : fault;
    throw failure(`openai: the response was interrupted: ${advice}`, ofAnswer, cause);
  }
  return chunk.data;
}

/** The metadata of an answer that a chunk contains. */
function noteOf({ id, choices, usage }: Chunk): AnswerNote {
  const finishReason = choices?.[0]?.finish_reason;
  return {
    ...(id && { remoteId: id }),
    ...(finishReason && { finishReason }),
    ...(usage && { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } }),
  };
}

function failure(message: string, fault: Fault, cause?: unknown): PlatformError {
  return new PlatformError(message, { platform: 'openai', fault, cause });
}
