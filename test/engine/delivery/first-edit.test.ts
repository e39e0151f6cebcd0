import { expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { creating, firing, keysOf, setting } from '../../support/firings.ts';
import { runEngine, type RunningEngine } from './running-engine.ts';

const CARD = { content: 'live', embed: { title: 'Chess', color: 1, image: 'a' }, buttons: [{ label: 'Watch' }] };
const sending = firing([creating(['discord'], { id: 'card', do: 'discord.send', with: CARD })]);

/** The first edit of an episode, which is sent even if its text is unchanged. */
function editing(changes: JsonObject, occasion = '1') {
  const edit = setting(['discord'], { with: { message: 'r1', ...changes } });
  return firing([edit], { section: 'while', occasion, evenIfUnchanged: occasion === '1' });
}

async function withCard(answer: JsonObject = {}): Promise<RunningEngine> {
  const running = await runEngine();
  running.platform.answers.set('discord', answer);
  await running.commit([sending]);
  return running;
}

test('an edit to what a card was sent with is not sent, and has the result of the card', async () => {
  await using running = await withCard();
  const edit = editing({ embed: { title: 'Chess' }, buttons: [{ label: 'Watch' }] });

  await running.commit([edit]);

  expect(running.platform.attempts).toHaveLength(1);
  expect(await running.find(keysOf(edit)[0])).toMatchObject({ state: 'skipped', reason: { kind: 'sameText' }, result: { id: 'r1' } });
  expect(await running.engine.isIdle(editing({ content: 'live' }, '2'))).toBe(true);
});

test.for<[string, JsonObject]>([
  ['another text', { content: 'back' }],
  ['another title', { embed: { title: 'Go' } }],
  ['a further part', { embed: { title: 'Chess', footer: { text: 'x' } } }],
  ['a picture, which can be another one at the same address', { embed: { image: 'a' } }],
])('the first edit is sent if it has %s', async ([, changes]) => {
  await using running = await withCard();

  await running.commit([editing(changes)]);

  expect(running.platform.attempts.map(({ do: verb }) => verb)).toEqual(['discord.send', 'discord.edit']);
});

test('an edit back to what a card was sent with is sent', async () => {
  await using running = await withCard();
  await running.commit([firing([setting(['discord'], { with: { message: 'r1', content: 'over' } })], { section: 'finally' })]);

  await running.commit([editing({ content: 'live' })]);

  expect(running.platform.attempts.map(({ params }) => params['content'])).toEqual(['live', 'over', 'live']);
});

test('the first edit is sent after an edit that failed', async () => {
  await using running = await withCard();
  running.platform.nextFailures.set('discord', ['rejected']);
  await running.commit([editing({ content: 'over' })]);

  await running.commit([editing({ content: 'live' }, '2')]);

  expect(running.platform.attempts.map(({ params }) => params['content'])).toEqual(['live', 'over', 'live']);
});
