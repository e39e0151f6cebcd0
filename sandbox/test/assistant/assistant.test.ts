import { fetch, type Response } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { replyTo } from '../../assistant/reply.ts';
import { assistantServer } from '../../assistant/server.ts';
import type { ChatMessage } from '../../assistant/chat-message.ts';
import { startSandbox, type Sandbox } from '../../server.ts';

test('the model answers with the streams of a game', async () => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });
  const nowMs = Date.UTC(2026, 10, 20, 18);
  const [first] = sandbox.world.liveAt(nowMs);
  if (!first) throw new Error('there is no live stream');

  const reply = replyTo([user(`Who plays ${first.game.name.toUpperCase()} right now?`)], { world: sandbox.world, nowMs });

  expect(reply).toContain(`live with ${first.game.name}`);
  expect(reply).toContain(`**${first.person.displayName}** plays ${first.game.name}`);
});

test('the model remembers earlier questions of the conversation only', async () => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });
  const surroundings = { world: sandbox.world, nowMs: Date.UTC(2026, 10, 20, 18) };
  const earlier: readonly ChatMessage[] = [user('Do you like tea?'), { role: 'assistant', content: 'I do not drink.' }];

  const known = replyTo([...earlier, user('What did I ask you?')], surroundings);
  const unknown = replyTo([user('What did I ask you?')], surroundings);

  expect(known).toContain('1 question before this one. The last was: “Do you like tea?”');
  expect(unknown).toMatch(/^Nothing yet/);
});

test('the server answers in one piece without stream', async () => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });

  const response = await complete(sandbox, { model: 'sandbox-1', messages: [user('Hi')] });

  expect(await response.json()).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: expect.stringMatching(/^Hello!/) }, finish_reason: 'stop' }],
  });
});

test.for([
  ['a wrong key', {}, 'wrong', 401],
  ['an unknown model', { model: 'gpt-99', messages: [user('Hi')] }, undefined, 404],
  ['no messages', { model: 'sandbox-1', messages: [] }, undefined, 400],
] as const)('the server refuses %s in the format of the protocol', async ([, body, key, status]) => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });

  const response = await complete(sandbox, body, key);

  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { message: expect.any(String), type: 'invalid_request_error' } });
});

/** Tools in the format of the protocol. */
function offering(...names: readonly string[]): readonly object[] {
  return names.map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } }));
}

const Answer = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        content: z.string().nullable(),
        tool_calls: z.array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })).optional(),
      }),
      finish_reason: z.string(),
    }),
  ),
});

async function step(
  sandbox: Sandbox,
  messages: readonly object[],
  tools = offering('streaming_getGameStreams', 'draft_post', 'draft_rule'),
) {
  const response = await complete(sandbox, { model: 'sandbox-1', messages, tools });
  const [choice] = Answer.parse(await response.json()).choices;
  const [call] = choice?.message.tool_calls ?? [];
  return {
    text: choice?.message.content,
    end: choice?.finish_reason,
    name: call?.function.name,
    input: call?.function.arguments,
    id: call?.id,
  };
}

/** The messages of a tool call and of its result. */
function came(
  { id = '', name, input }: { id?: string | undefined; name?: string | undefined; input?: string | undefined },
  content: string,
): readonly object[] {
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name, arguments: input } }] },
    { role: 'tool', tool_call_id: id, content },
  ];
}

const STREAMS = JSON.stringify({
  items: [{ owner: { displayName: 'Ada' }, game: { name: 'Chess' }, title: 'Blitz', viewerCount: 1200, url: 'https://x.test/ada' }],
});

test('the model calls the tool for the streams of a game and answers with its result', async () => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });
  const asked = [user('Who plays Chess?')];

  const first = await step(sandbox, asked);
  const second = await step(sandbox, [...asked, ...came(first, `Data:\n1\n${STREAMS}\n1`)]);

  expect(first).toMatchObject({ end: 'tool_calls', name: 'streaming_getGameStreams', input: '{"game":"Chess"}', text: null });
  expect(second).toMatchObject({ end: 'stop', text: expect.stringContaining('**Ada** plays Chess for 1.2K viewers: Blitz') });
});

test('the model reads data before it drafts a post, and states that the draft waits for approval', async () => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });
  const asked = [user('Draft a post about who plays Chess')];

  const first = await step(sandbox, asked);
  const looked = [...asked, ...came(first, STREAMS)];
  const second = await step(sandbox, looked);
  const third = await step(sandbox, [...looked, ...came(second, 'Stored as a draft.')]);

  expect(first.name).toBe('streaming_getGameStreams');
  expect(second).toMatchObject({ name: 'draft_post', input: expect.stringContaining('Ada is live with Chess: Blitz https://x.test/ada') });
  expect(third.text).toContain('Here is the draft of the post. It is sent after');
});

test('the model drafts a rule with tests, and shows why a draft was refused', async () => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });
  const asked = [user('Write a rule that tells when ada goes live')];

  const first = await step(sandbox, asked);
  const second = await step(sandbox, [...asked, ...came(first, 'Failed: there is a rule live-ada already')]);

  expect(JSON.parse(first.input ?? '')).toMatchObject({
    rule: expect.stringContaining('users: ["ada"]'),
    tests: expect.stringContaining('rule: live-ada'),
  });
  expect(second.text).toContain('there is a rule live-ada already');
});

test('a tool call is streamed in pieces', async () => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });
  const body = { model: 'sandbox-1', messages: [user('Who plays Chess?')], tools: offering('streaming_getGameStreams'), stream: true };

  const text = await (await complete(sandbox, body)).text();

  const parts = [...text.matchAll(/"arguments":"((?:[^"\\]|\\.)*)"/g)].map(([, part = '']) => JSON.parse(`"${part}"`) as string);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.join('')).toBe('{"game":"Chess"}');
  expect(text).toContain('"finish_reason":"tool_calls"');
});

test.for([
  [
    'a result without a call',
    [
      { role: 'user', content: 'x' },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ],
  ],
  ['a call without a result', [...came({ id: 'a', name: 'x', input: '{}' }, 'x').slice(0, 1), { role: 'user', content: 'x' }]],
] as const)('the server refuses %s', async ([, messages]) => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });

  expect((await complete(sandbox, { model: 'sandbox-1', messages })).status).toBe(400);
});

function user(content: string): ChatMessage {
  return { role: 'user', content };
}

function complete({ environment }: Sandbox, body: object, key = environment['ASSISTANT_API_KEY']): Promise<Response> {
  return fetch(`${environment['ASSISTANT_URL']}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${key}` },
  });
}
