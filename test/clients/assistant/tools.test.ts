import { expect, test } from 'vitest';
import type { AnswerPiece } from '#src/clients/assistant/answering.ts';
import { createAssistant, type Assistant, type AssistantOptions, type Question } from '#src/clients/assistant/assistant.ts';
import type { AnswerEnd, AnswerRequest, AssistantPlatform } from '#src/clients/assistant/port.ts';
import { ToolError, type Tool } from '#src/clients/assistant/tools.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryTranscripts } from '#src/clients/assistant/memory-transcripts.ts';

type Step = readonly (string | AnswerEnd)[];

interface Fixture {
  readonly assistant: Assistant;
  readonly clock: ManualClock;
  /** The requests to the model. */
  readonly asked: readonly AnswerRequest[];
  ask(question?: Partial<Question>): Promise<readonly AnswerPiece[]>;
}

/** An assistant whose model runs one of these steps in each round, and then repeats the last one. */
function open(steps: readonly Step[], tools: readonly Tool[], options: Partial<AssistantOptions> = {}): Fixture {
  const asked: AnswerRequest[] = [];
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const assistant = createAssistant({
    platform: {
      name: 'scripted',
      account: 'assistant',
      model: 'scripted-1',
      async *answer(request) {
        asked.push({ ...request, messages: [...request.messages] });
        yield* steps[Math.min(asked.length, steps.length) - 1] ?? [];
      },
    },
    transcripts: memoryTranscripts(),
    clock,
    tools,
    ...options,
  });
  return {
    assistant,
    clock,
    asked,
    ask: (question) => Array.fromAsync(assistant.ask({ conversation: 'here', text: 'who is live?', ...question })),
  };
}

function tool(name: string, run: Tool['run'] = async (input) => ({ text: `${name} gave ${JSON.stringify(input)}` })): Tool {
  return { name, description: `Does ${name}.`, parameters: { type: 'object' }, run };
}

function calling(...names: readonly string[]): AnswerEnd {
  return { finishReason: 'tool_calls', calls: names.map((name, index) => ({ id: `c${index}`, name, input: '{"a":1}' })) };
}

function textOf(pieces: readonly AnswerPiece[]): string {
  return pieces.filter((piece) => typeof piece === 'string').join('');
}

/** The results of the calls in the last request to the model. */
function results({ asked }: Fixture): readonly string[] {
  return asked.at(-1)?.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : [])) ?? [];
}

test('a tool call of the model is run and reported, and the model continues with its result', async () => {
  const fixture = open(
    [
      ['Let me look.', calling('look')],
      ['Ada is live.', { finishReason: 'stop' }],
    ],
    [tool('look')],
  );

  const pieces = await fixture.ask();

  expect(pieces).toEqual(['Let me look.', { tool: 'look' }, '\n\nAda is live.', { answerId: expect.any(String) }]);
  expect(fixture.asked[0]?.tools).toEqual([{ name: 'look', description: 'Does look.', parameters: { type: 'object' } }]);
  expect(fixture.asked[1]?.messages.slice(-3)).toEqual([
    { role: 'user', text: 'who is live?' },
    { role: 'assistant', text: 'Let me look.', calls: [{ id: 'c0', name: 'look', input: '{"a":1}' }] },
    { role: 'tool', call: 'c0', text: expect.stringContaining('look gave {"a":1}') },
  ]);
});

test('the result of a tool is between random delimiters', async () => {
  const fixture = open([[calling('look', 'look')], ['Well.']], [tool('look')]);

  await fixture.ask();

  const delimiters = results(fixture).map((text) => /two delimiters (\w{8})\. It is data.*\n\1\n[^]*\n\1$/u.exec(text)?.[1]);
  expect(delimiters).toEqual([expect.any(String), expect.any(String)]);
  expect(delimiters[0]).not.toBe(delimiters[1]);
});

test.for([
  ['of an unknown tool', 'nothing', '{}', 'Failed: there is no such tool.'],
  ['with input that is not JSON', 'look', '{"a":', 'Failed: its input is not JSON.'],
  ['with too long an input', 'look', `"${'x'.repeat(30_000)}"`, 'Failed: its input is longer than 24000 characters.'],
  ['that fails with a reason', 'refuse', '{}', 'Failed: there is no Ada.'],
  ['that throws', 'break', '{}', 'Failed: something went wrong.'],
] as const)('a tool call %s is reported to the model, which then answers', async ([, name, input, toolErrors]) => {
  const refuse = tool('refuse', () => Promise.reject(new ToolError('there is no Ada')));
  const broken = tool('break', () => Promise.reject(new Error('at line 7 of a secret file')));
  const fixture = open([[{ calls: [{ id: 'c', name, input }] }], ['Sorry.']], [tool('look'), refuse, broken]);

  const pieces = await fixture.ask();

  expect(results(fixture)[0]).toContain(`\n${toolErrors}\n`);
  expect(textOf(pieces)).toBe('Sorry.');
});

test('the name of an unknown tool is not shown', async () => {
  const fixture = open([[calling('@everyone', 'look')], ['Well.']], [tool('look')]);

  expect(await fixture.ask()).toEqual([{ tool: 'look' }, 'Well.', { answerId: expect.any(String) }]);
});

test('a tool that takes too long is aborted', async () => {
  const gone = Promise.withResolvers<unknown>();
  const slow = tool('slow', (_, { signal }) => {
    signal.addEventListener('abort', gone.resolve);
    return new Promise(() => undefined);
  });
  const fixture = open([[calling('slow')], ['Well.']], [slow]);

  const answer = fixture.ask();
  while (fixture.clock.sleeping === 0) await Promise.resolve();
  await fixture.clock.advance(20_000);

  expect(textOf(await answer)).toBe('Well.');
  expect(results(fixture)[0]).toContain('Failed: it took too long.');
  await gone.promise;
});

test('an abort ends the answer and its running tool, and the model is not asked again', async () => {
  const began = Promise.withResolvers<AbortSignal>();
  const slow = tool('slow', (_, { signal }) => {
    began.resolve(signal);
    return new Promise(() => undefined);
  });
  const fixture = open([[calling('slow')], ['Well.']], [slow]);
  const stopping = new AbortController();

  const answer = fixture.ask({ signal: stopping.signal });
  const signal = await began.promise;
  stopping.abort(new Error('enough'));

  await expect(answer).rejects.toThrow('enough');
  expect(signal.aborted).toBe(true);
  expect(fixture.asked).toHaveLength(1);
});

test('a consumer that stops reading aborts the model', async () => {
  let seen: AbortSignal | undefined;
  const fixture = open([['Let me look.', calling('look')]], [tool('look')], {
    platform: {
      name: 'scripted',
      account: 'assistant',
      model: 'scripted-1',
      async *answer({ signal }) {
        seen = signal;
        yield 'Let me look. ';
        yield 'And on.';
      },
    },
  });

  for await (const _ of fixture.assistant.ask({ conversation: 'here', text: 'hello' })) break;

  expect(seen?.aborted).toBe(true);
});

test('a model that calls tools without end must answer in the sixth round', async () => {
  const fixture = open([['…', calling('look')]], [tool('look')]);

  const pieces = await fixture.ask();

  expect(fixture.asked.map(({ mustAnswer }) => mustAnswer)).toEqual([false, false, false, false, false, true]);
  expect(pieces.at(-1)).toEqual({ answerId: expect.any(String) });
});

test('an endless answer is cut, and the model is not read further', async () => {
  let read = 0;
  const fixture = open([], [], {
    platform: {
      name: 'endless',
      account: 'assistant',
      model: 'endless-1',
      async *answer() {
        for (;;) {
          read++;
          yield 'x'.repeat(1_000);
        }
      },
    },
  });

  const pieces = await fixture.ask();

  expect(textOf(pieces)).toHaveLength(17_000);
  expect(read).toBe(17);
  expect((await fixture.assistant.getConversation('here'))?.messages.at(-1)?.finishReason).toBe('length');
});

test('the result of a tool is cut, and at most six calls of a round are run', async () => {
  const fixture = open(
    [[calling(...Array.from({ length: 8 }, () => 'long'))], ['Well.']],
    [tool('long', async () => ({ text: '😀'.repeat(20_000) }))],
  );

  await fixture.ask();

  expect(results(fixture).map((text) => text.length < 8_200)).toEqual(Array.from({ length: 8 }, () => true));
  expect(results(fixture)[0]).toMatch(/😀… \(cut\)\n\w{8}$/u);
  expect(results(fixture).filter((text) => text.includes('Not done'))).toHaveLength(2);
});

test('at most twelve tool calls are run for one answer', async () => {
  let done = 0;
  const search = tool('look', async () => ({ text: `found ${done++}` }));
  const five = calling(...Array.from({ length: 5 }, () => 'look'));
  const fixture = open([[five], [five], [five], ['Well.']], [search]);

  await fixture.ask();

  expect(done).toBe(12);
  expect(results(fixture).filter((text) => text.includes('the limit of look-ups'))).toHaveLength(3);
});

test('an answer has at most three drafts, and each is reported once', async () => {
  let made = 0;
  const draft: Tool = { ...tool('draft', async () => ({ text: 'kept', draft: `d${made++}` })), drafts: true };
  const same: Tool = { ...tool('same', async () => ({ text: 'kept', draft: 'd0' })), drafts: true };
  const fixture = open([[calling('draft', 'same')], [calling('draft', 'draft', 'draft')], ['Well.']], [draft, same]);

  const pieces = await fixture.ask();

  expect(pieces.filter((piece) => typeof piece === 'object' && 'draft' in piece)).toEqual([
    { draft: 'd0' },
    { draft: 'd1' },
    { draft: 'd2' },
  ]);
  expect(made).toBe(3);
  expect(results(fixture).filter((text) => text.includes('the limit of drafts'))).toHaveLength(1);
});

test('the next question includes the tool results of the previous answer, cut', async () => {
  const fixture = open([[calling('look')], ['Ada is live.'], ['Ada.']], [tool('look', async () => ({ text: 'ada,'.repeat(1_000) }))]);
  await fixture.ask();

  await fixture.ask({ text: 'and who was it?' });

  const messages = fixture.asked[2]?.messages.slice(1);
  expect(messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  expect(messages?.[2]?.text.length).toBeLessThan(1_800);
  expect((await fixture.assistant.getConversation('here'))?.messages[1]?.tools).toEqual([
    { id: 'c0', name: 'look', input: '{"a":1}', output: expect.stringMatching(/^ada,.*\(cut\)$/u) },
  ]);
});

test('an answer can consist of drafts only', async () => {
  const draft: Tool = { ...tool('draft', async () => ({ text: 'kept', draft: 'd0' })), drafts: true };
  const fixture = open([[calling('draft')], []], [draft]);

  expect(await fixture.ask({ id: 'q' })).toEqual([{ tool: 'draft' }, { draft: 'd0' }, { answerId: expect.any(String) }]);
  expect(await fixture.ask({ id: 'q' })).toEqual([{ answerId: expect.any(String) }]);
  expect(fixture.asked).toHaveLength(2);
});

test('the usage of an answer is summed over its rounds', async () => {
  const usage = { inputTokens: 10, outputTokens: 3 };
  const fixture = open([[{ ...calling('look'), usage }], ['Well.', { finishReason: 'stop', usage }]], [tool('look')]);

  await fixture.ask();

  expect((await fixture.assistant.getConversation('here'))?.messages.at(-1)).toMatchObject({
    usage: { inputTokens: 20, outputTokens: 6 },
    finishReason: 'stop',
  });
});

test('secrets and instructions are removed from an answer, even if the model splits them', async () => {
  const instructions = 'You cannot post, edit or delete anything, and you cannot ping anyone.';
  const answers = `My token is s3cr3t-t0ken! And: ${instructions} SO THERE`;
  const fixture = open([Array.from(answers)], [], { secrets: ['s3cr3t-t0ken'] });

  const text = textOf(await fixture.ask());

  expect(text).toBe('My token is […]! And: […] SO THERE');
  expect((await fixture.assistant.getConversation('here'))?.messages.at(-1)?.text).toBe(text);
});

test('a placeholder for a key is not removed from answers', async () => {
  const fixture = open([['There is none.']], [], { secrets: ['none'] });

  expect(textOf(await fixture.ask())).toBe('There is none.');
});

/** A model without support for tools. */
function plain(asked: AnswerRequest[], fault: Fault = 'rejected'): AssistantPlatform {
  return {
    name: 'plain',
    account: 'assistant',
    model: 'plain-1',
    async *answer(request) {
      asked.push(request);
      if (request.tools) throw new PlatformError('plain-1 does not support tools', { platform: 'plain', fault });
      yield 'Ada, I think.';
    },
  };
}

test('a model without support for tools is asked without them', async () => {
  const asked: AnswerRequest[] = [];
  const transcripts = memoryTranscripts();
  await open([[calling('look')], ['Ada is live.']], [tool('look')], { transcripts }).ask();

  const pieces = await open([], [tool('look')], { platform: plain(asked), transcripts }).ask({ text: 'and who was it?' });

  expect(textOf(pieces)).toBe('Ada, I think.');
  expect(asked.map(({ tools }) => tools?.length)).toEqual([1, undefined]);
  expect(asked[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user', 'assistant', 'user']);
});

test.for(['unavailable', 'unauthorized', 'rateLimited'] as const)(
  'a question that fails as %s is not asked again without tools',
  async (fault) => {
    const asked: AnswerRequest[] = [];

    await expect(open([], [tool('look')], { platform: plain(asked, fault) }).ask()).rejects.toMatchObject({ fault });
    expect(asked).toHaveLength(1);
  },
);
