import { expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { firing, keysOf, setting } from '../../support/firings.ts';
import { runEngine } from './running-engine.ts';

const SECOND_MS = 1_000;
const ROLE = { user: '794354201419207919', role: '8' };

function removing(params: JsonObject) {
  return firing([setting(['discord'], { do: 'discord.removeRole', with: params })], { section: 'finally' });
}

function adding(params: JsonObject) {
  return firing([setting(['discord'], { do: 'discord.addRole', with: params })], { episode: 'grace@1' });
}

/** The requests that were sent while a removal had no answer for ten seconds. */
async function sentMeanwhile(removed: JsonObject, added: JsonObject): Promise<readonly string[]> {
  await using running = await runEngine();
  const { platform, clock } = running;
  const { promise, resolve: release } = Promise.withResolvers<void>();
  platform.hangs.set('discord', promise);
  const [removal, add] = [removing(removed), adding(added)];

  await running.commit([removal]);
  await running.commit([add]);
  await clock.advance(10 * SECOND_MS);
  const meanwhile = platform.attempts.map(({ do: verb }) => verb);
  release();
  await clock.advance(2 * SECOND_MS);

  expect((await running.find(keysOf(removal)[0])).state).toBe('sent');
  expect((await running.find(keysOf(add)[0])).state).toBe('sent');
  return meanwhile;
}

test.for([
  ['given by the same ids', ROLE, ROLE],
  ['given by the same names', { user: 'ada', role: 'Live' }, { user: 'ada', role: 'Live' }],
  ['whose member is given by an id and a handle', ROLE, { ...ROLE, user: 'ada' }],
  ['whose role is given by a name and an id', { ...ROLE, role: 'Live' }, { ...ROLE, role: '794354201419207920' }],
] as const)('a role is added after its removal, which takes long: a role %s', async ([, removed, added]) => {
  expect(await sentMeanwhile(removed, added)).toEqual(['discord.removeRole']);
});

test.for([
  ['another member', { ...ROLE, user: '794354201419207918' }],
  ['another handle', { user: 'grace', role: '8' }, { user: 'ada', role: '8' }],
  ['another role', { ...ROLE, role: '7' }],
  ['another server', { ...ROLE, server: '2' }, { ...ROLE, server: '1' }],
] as const)('a role is added during a removal of %s', async ([, added, removed = ROLE]) => {
  expect(await sentMeanwhile(removed, added)).toEqual(['discord.removeRole', 'discord.addRole']);
});
