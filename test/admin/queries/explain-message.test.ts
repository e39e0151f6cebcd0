import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainMessage } from '#src/admin/queries/explain-message.ts';
import { openRegistry } from '#src/app/open-registry.ts';
import type { Account } from '#src/config/accounts.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { openStore } from '#src/store/store.ts';
import { settle } from '../../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const [HOME, GUESTS] = ['1202584131993600001', '1202584131993600091'];

function server(account: string, id: string, otherServers: 'any' | readonly string[] = []): Account {
  return { platform: 'discord', account, server: id, token: 'token', otherServers, zone: 'UTC', apiUrl: 'https://discord.com/api' };
}

test.each([
  ['a message has the deliveries of the account of its server and of removed accounts', []],
  ['a message has the deliveries of an account that sends to any server', 'any'],
  ['a message has the deliveries of an account that sends to its server', [GUESTS]],
] as const)('%s', async (_, otherServers) => {
  using folder = temporaryFolder();
  await using store = await openStore({ file: `${folder.path}/fanfare.sqlite` });
  mkdirSync(`${folder.path}/rules`);
  const config = configOfEnvironment({ FANFARE_DATA: folder.path, FANFARE_RULES: `${folder.path}/rules` });
  const registry = await openRegistry({ config, stored: new Map(), nowMs: () => SLOT_MS });
  const toot: Account = { platform: 'sandbox', account: 'sandbox', url: 'https://social.example', token: 'token' };
  const accounts = [server('home', HOME, otherServers), server('guests', GUESTS), toot];
  const fired = firing([creating(['home', 'guests', 'sandbox', 'renamed'])]);
  await store.ruleStates.commit(committing([fired]));
  for (const key of keysOf(fired)) await settle(store, key, { state: 'sent', sentAt: new Date(SLOT_MS), result: { id: '1/2' } });

  const accountsOf = async (guild: string | undefined): Promise<readonly string[]> => {
    const { origins } = await explainMessage({ message: '1/2', server: guild }, { accounts, rules: registry.now.rules, store });
    return origins.map(({ delivery }) => delivery.account);
  };

  expect(await accountsOf(HOME)).toEqual(['home', 'renamed']);
  const ofOthers = otherServers.length > 0 ? ['home'] : [];
  expect(await accountsOf(GUESTS)).toEqual([...ofOthers, 'guests', 'renamed']);
  expect(await accountsOf(undefined)).toEqual([...(otherServers === 'any' ? ['home'] : []), 'renamed']);
});
