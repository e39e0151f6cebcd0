import { expect, test } from 'vitest';
import { isGivenByOther } from '#src/engine/delivery/role-of-others.ts';
import { newDelivery } from '#src/engine/delivery/new-delivery.ts';
import { firing, setting, SLOT_MS } from '../../support/firings.ts';

const fired = firing([setting(['discord'], { do: 'discord.removeRole' })], { rule: 'live/ada', section: 'finally' });
const removal = newDelivery(fired.steps[0] ?? expect.fail('the firing has no step'), fired, { nowMs: SLOT_MS });
const given = { rule: 'live/kick', episode: 'ada@1', do: 'discord.addRole', result: { id: '9', role: { id: '8' } } };

test.for([
  ['another value of each', true, {}, [given]],
  ['another episode of the value', true, {}, [{ ...given, rule: 'live/ada', episode: 'ada@2' }]],
  ['an episode that took it and gave it again', true, {}, [given, { ...given, do: 'discord.removeRole' }, given]],
  ['an episode that took it', false, {}, [given, { ...given, do: 'discord.removeRole' }]],
  ['an episode whose step is being sent', true, {}, [{ ...given, params: { user: '9', role: '8' }, result: undefined }]],
  ['an episode that is being sent for another member', false, {}, [{ ...given, params: { user: '7', role: '8' }, result: undefined }]],
  ['the episode itself', false, {}, [{ ...given, rule: 'live/ada' }]],
  ['another rule', false, {}, [{ ...given, rule: 'other' }]],
  ['no one, but another role', false, {}, [{ ...given, result: { id: '9', role: { id: '7' } } }]],
  ['another value, and the step is not of an end', false, { section: 'while' }, [given]],
  ['another value, and the step is no removal', false, { do: 'discord.addRole' }, [given]],
] as const)('a role given by %s stays: %s', async ([, stays, change, changes]) => {
  const deliveries = { ofOpenEpisodes: (_: unknown, user: string) => Promise.resolve(user === '9' ? changes : []) };

  expect(await isGivenByOther({ ...removal, ...change }, { user: '9', role: '8' }, deliveries)).toBe(stays);
});
