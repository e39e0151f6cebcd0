import { fetch, type Response } from 'undici';
import { expect, test } from 'vitest';
import { replyTo, type Turn } from '#src/sandbox/assistant/reply.ts';
import { assistantServer } from '#src/sandbox/assistant/server.ts';
import { startSandbox, type Sandbox } from '#src/sandbox/server.ts';

test('it knows who is live in a game that is named', async () => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });
  const nowMs = Date.UTC(2026, 10, 20, 18);
  const [first] = sandbox.world.liveAt(nowMs);
  if (!first) throw new Error('nobody is live');

  const reply = replyTo([user(`Who plays ${first.game.name.toUpperCase()} right now?`)], { world: sandbox.world, nowMs });

  expect(reply).toContain(`live with ${first.game.name}`);
  expect(reply).toContain(`**${first.person.displayName}** plays ${first.game.name}`);
});

test('it remembers what was asked earlier in the conversation, and nothing else', async () => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });
  const surroundings = { world: sandbox.world, nowMs: Date.UTC(2026, 10, 20, 18) };
  const earlier: readonly Turn[] = [user('Do you like tea?'), { role: 'assistant', content: 'I do not drink.' }];

  const known = replyTo([...earlier, user('What did I ask you?')], surroundings);
  const unknown = replyTo([user('What did I ask you?')], surroundings);

  expect(known).toContain('1 question before this one. The last was: “Do you like tea?”');
  expect(unknown).toMatch(/^Nothing yet/);
});

test('it answers in one piece where no stream is asked for', async () => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });

  const response = await complete(sandbox, { model: 'sandbox-1', messages: [user('Hi')] });

  expect(await response.json()).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: expect.stringMatching(/^Hello!/) }, finish_reason: 'stop' }],
  });
});

test.for([
  ['a wrong key', {}, 'wrong', 401],
  ['a model that there is not', { model: 'gpt-99', messages: [user('Hi')] }, undefined, 404],
  ['no messages', { model: 'sandbox-1', messages: [] }, undefined, 400],
] as const)('it refuses %s as the protocol has it', async ([, body, key, status]) => {
  await using sandbox = await startSandbox({ platforms: [assistantServer] });

  const response = await complete(sandbox, body, key);

  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { message: expect.any(String), type: 'invalid_request_error' } });
});

function user(content: string): Turn {
  return { role: 'user', content };
}

function complete({ environment }: Sandbox, body: object, key = environment['ASSISTANT_API_KEY']): Promise<Response> {
  return fetch(`${environment['ASSISTANT_URL']}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${key}` },
  });
}
