import { expect, test } from 'vitest';
import { x, type XOptions } from '#adapters/x/index.ts';
import { capabilities as table } from '#adapters/x/capabilities.ts';
import { tokensInMemory } from '#src/http/secrets/account-tokens.ts';
import { SocialAsync, socialTopics } from '#src/clients/social/social.ts';
import { watchListInMemory } from './watch-list.ts';

const declared = new Set<string>(socialTopics.flatMap((topic) => Object.values(topic)).map((method) => method.declared.name));
const ACCOUNTS: Readonly<Record<string, XOptions>> = {
  'with everything': { budgets: { usd: 1 }, watchList: watchListInMemory() },
  'without a budget': { watchList: watchListInMemory() },
  'without a watch list': { budgets: { usd: 1 } },
};

test.for(Object.entries(ACCOUNTS))('%s, every operation has a capability, and an implementation if it is supported', ([, options]) => {
  const { capabilities, operations } = x({ tokens: tokensInMemory(), ...options });

  const able = Object.entries(capabilities).flatMap(([name, { support }]) => (support === 'unsupported' ? [] : [name]));

  expect(new Set(Object.keys(capabilities))).toEqual(declared);
  expect(able.filter((name) => !(name in operations))).toEqual([]);
});

test('an account with everything has exactly the operations of the table', () => {
  const { capabilities, operations } = x({ tokens: tokensInMemory(), ...ACCOUNTS['with everything'] });

  expect(capabilities).toEqual(table);
  expect(Object.keys(operations).filter((name) => table[name as keyof typeof table].support === 'unsupported')).toEqual([]); // names of the port
});

test('a composed read without a budget is refused with advice', async () => {
  const social = new SocialAsync({ platform: x({ tokens: tokensInMemory(), url: 'http://127.0.0.1:1' }) });

  await expect(social.getPostComments('5')).rejects.toMatchObject({
    name: 'UnsupportedOperation',
    message: expect.stringContaining('budgets: { usd'),
  });
  await expect(social.getInbox()).rejects.toMatchObject({ reason: 'PROVIDER_MISSING' });
  await expect(social.enableUserNotification('ada')).rejects.toMatchObject({ message: expect.stringContaining('watch list') });
});

test('a text with a weight of 280 fits', () => {
  const { textLimit } = new SocialAsync({ platform: x({ tokens: tokensInMemory() }) });

  expect(textLimit?.most).toBe(280);
  expect(textLimit?.lengthOf('日'.repeat(140))).toBe(280);
});
