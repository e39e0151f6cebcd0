import { expect, test } from 'vitest';
import type { Firing } from '#src/rules/firing.ts';
import { creating, firing, setting } from '../../support/firings.ts';
import { runEngine, type RunningEngine } from './running-engine.ts';

const opening = firing([creating(['discord'], { id: 'card', do: 'discord.send' })]);

/** The edit that poll number `poll` asks for. */
function editing(poll: number, content: string, more: Partial<Firing> = {}): Firing {
  const edit = setting(['discord'], { reads: ['card'], with: { message: '1', content } });
  return firing([edit], { section: 'while', occasion: String(poll), sees: [opening.id], ...more });
}

async function withCard(): Promise<RunningEngine> {
  const running = await runEngine();
  await running.commit([opening]);
  await running.commit([editing(1, 'one viewer', { evenIfUnchanged: true })]);
  return running;
}

test('an edit that was sent last is idle, and another one is not', async () => {
  await using running = await withCard();

  expect(await running.engine.isIdle(editing(2, 'one viewer'))).toBe(true);
  expect(await running.engine.isIdle(editing(2, 'two viewers'))).toBe(false);
});

test('an edit that must be sent even if it looks the same is not idle', async () => {
  await using running = await withCard();

  expect(await running.engine.isIdle(editing(2, 'one viewer', { evenIfUnchanged: true }))).toBe(false);
});

test('announcements are never idle', async () => {
  await using running = await withCard();

  expect(await running.engine.isIdle(opening)).toBe(false);
});

test('an edit is not idle while the one before it is not sent, and not after that failed', async () => {
  await using running = await withCard();
  running.platform.nextFailures.set('discord', ['unreachable', 'rejected']);
  await running.commit([editing(2, 'two viewers')]);
  const pending = [await running.engine.isIdle(editing(3, 'one viewer')), await running.engine.isIdle(editing(3, 'two viewers'))];
  await running.clock.advance(60_000);

  expect(pending).toEqual([false, false]);
  expect((await running.states()).at(-1)).toEqual(['discord', 'failed']);
  expect(await running.engine.isIdle(editing(3, 'two viewers'))).toBe(false);
});

test('an edit is not idle before the card that it reads is sent', async () => {
  await using running = await runEngine();
  running.platform.nextFailures.set('discord', ['unreachable']);
  await running.commit([opening]);

  expect(await running.engine.isIdle(editing(1, 'one viewer'))).toBe(false);
});

test('a list is idle if each of its elements is', async () => {
  await using running = await withCard();
  const listing = (poll: number, content: string): Firing => {
    const edit = setting(['discord'], { id: 'each', forEach: 'ada,grace', with: { message: '1', content } });
    return firing([edit], { section: 'while', occasion: `list ${poll}`, sees: [opening.id] });
  };
  await running.commit([listing(1, 'one')]);
  await running.clock.advance(60_000);

  expect(await running.engine.isIdle(listing(2, 'one'))).toBe(true);
  expect(await running.engine.isIdle(listing(2, 'two'))).toBe(false);
});

test('a look-up is never idle, and runs at each poll with equal parameters', async () => {
  await using running = await withCard();
  const lookUpAt = (poll: number): Firing => {
    const steps = [setting(['twitch'], { id: 'videos', do: 'streaming.getUserVideos', with: { user: 'ada' } })];
    return firing(steps, { section: 'while', occasion: `look-up ${poll}`, sees: [opening.id] });
  };
  for (let poll = 1; poll <= 3; poll++) {
    expect(await running.engine.isIdle(lookUpAt(poll))).toBe(false);
    await running.commit([lookUpAt(poll)]);
  }

  const calls = running.platform.attempts.filter(({ account }) => account === 'twitch');
  expect(calls.map(({ params }) => params)).toEqual([{ user: 'ada' }, { user: 'ada' }, { user: 'ada' }]);
});

test('a step that is skipped as unchanged keeps the last result', async () => {
  await using running = await withCard();
  await running.commit([editing(2, 'one viewer')]);

  const [last, before] = (await running.store.deliveryLog.list({ idle: true })).items;
  expect([last?.state, last?.result]).toEqual(['skipped', before?.result]);
});
