import { expect, test } from 'vitest';
import { isAddedByOther } from '#src/engine/delivery/role-of-others.ts';
import { newDelivery } from '#src/engine/delivery/new-delivery.ts';
import { firing, setting, SLOT_MS } from '../../support/firings.ts';

const fired = firing([setting(['discord'], { do: 'discord.removeRole' })], { rule: 'live/ada', section: 'finally' });
const removal = newDelivery(fired.steps[0] ?? expect.fail('the firing has no step'), fired, { nowMs: SLOT_MS });
const params = { user: '9', role: '8' };
const given = {
  rule: 'live/kick',
  episode: 'ada@1',
  account: 'discord',
  do: 'discord.addRole',
  params,
  result: { id: '9', role: { id: '8' } },
};
const named = { ...given, params: { user: 'linus', role: 'Live', server: '1' } };

test.for([
  ['another value of each', true, {}, [given]],
  ['another episode of the value', true, {}, [{ ...given, rule: 'live/ada', episode: 'ada@2' }]],
  ['an episode that took it and gave it again', true, {}, [given, { ...given, do: 'discord.removeRole' }, given]],
  ['an episode that took it', false, {}, [given, { ...given, do: 'discord.removeRole' }]],
  ['an episode whose step is being sent', true, {}, [{ ...given, result: undefined }]],
  ['an episode that is being sent for another member', false, {}, [{ ...given, params: { user: '7', role: '8' }, result: undefined }]],
  [
    'an episode through an account with an earlier name',
    true,
    {},
    [{ ...given, account: 'before', params: { user: 'linus', role: 'Live' } }],
  ],
  ['the episode itself', false, {}, [{ ...given, rule: 'live/ada' }]],
  ['another rule', false, {}, [{ ...given, rule: 'other' }]],
  ['no one, but another role', false, {}, [{ ...given, params: { user: '9', role: '7' }, result: { id: '9', role: { id: '7' } } }]],
  ['another value, and the step is not of an end', false, { section: 'while' }, [given]],
  ['another value, and the step is no removal', false, { do: 'discord.addRole' }, [given]],
] as const)('a role given by %s stays: %s', async ([, stays, change, changes]) => {
  const deliveries = { roleChanges: (_: unknown, user: string) => Promise.resolve(user === '9' ? changes : []) };

  expect(await isAddedByOther({ ...removal, ...change }, { user: '9', role: '8' }, deliveries)).toBe(stays);
});

test.for([
  ['in the same server', true, named],
  ['in the same server, while it is being sent', true, { ...named, result: undefined }],
  ['in another server', false, { ...named, params: { ...named.params, server: '2' } }],
  ['through another account', false, { ...named, account: 'other' }],
  ['for another handle', false, { ...named, params: { ...named.params, user: 'ada' } }],
  ['for another name of a role', false, { ...named, params: { ...named.params, role: 'VIP' } }],
] as const)('a role of a member, both given by names, that another episode added %s stays: %s', async ([, stays, change]) => {
  const deliveries = { roleChanges: () => Promise.resolve([change]) };

  expect(await isAddedByOther(removal, named.params, deliveries)).toBe(stays);
});
