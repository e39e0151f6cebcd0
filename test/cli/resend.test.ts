import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openExplainer } from '#src/app/open-explainer.ts';
import { openDeliveryLookup } from '#src/app/open-delivery-lookup.ts';
import { openOfflineActions } from '#src/app/open-offline-actions.ts';
import { explain } from '#src/cli/explain.ts';
import { resend } from '#src/cli/resend.ts';
import { openStore } from '#src/store/store.ts';
import { find, settle } from '../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf } from '../support/firings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines, exitCodeOf } from './collect-lines.ts';

const GREET = `id: greet
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { id: hello, do: discord.send, with: { channel: news, content: corrected } }
`;

test('resend lists the failed deliveries, sends one again, and names the reason if it cannot', async () => {
  using folder = temporaryFolder();
  const [rules, data] = [join(folder.path, 'rules'), join(folder.path, 'data')];
  await mkdir(rules);
  await mkdir(data);
  await writeFile(join(rules, 'greet.yaml'), GREET);
  const file = join(data, 'fanfare.sqlite');
  const atMs = Date.now();
  const step = creating(['discord'], { id: 'hello', do: 'discord.send', with: { channel: 'nws', content: 'hello' } });
  const [failed, sent] = ['1', '2'].map((occasion) => firing([step], { rule: 'greet', occasion, episode: occasion, atMs }));
  if (!failed || !sent) throw new Error('there are two firings');
  {
    await using store = await openStore({ file });
    await store.ruleStates.commit(committing([failed, sent], { rule: 'greet', slotMs: atMs }));
    const error = { fault: 'missing', message: 'there is no channel nws' } as const;
    await settle(store, keysOf(failed)[0], { state: 'failed', error }, { params: { channel: 'nws', content: 'hello' } });
    await settle(store, keysOf(sent)[0], { state: 'sent' }, { params: { channel: 'news' } });
  }
  const environment = { FANFARE_RULES: rules, FANFARE_DATA: data };
  const parts = { lookup: openDeliveryLookup(environment), actions: openOfflineActions(environment) };
  const by = { name: 'ada', via: 'cli', role: 'admin' } as const;
  const { out, text } = collectLines();
  const run = (delivery?: string): Promise<number> => exitCodeOf(resend({ ...parts, delivery, by, timezone: 'UTC', out }), out);
  const [id = ''] = keysOf(failed);
  const [sentId = ''] = keysOf(sent);

  const codes = [await run(), await run(id), await run(id), await run(sentId)];

  expect(codes).toEqual([0, 0, 1, 1]);
  const nameIn = (channel: string): string => `greet, hello → #${channel}: discord.send through discord`;
  expect(text()).toContain('  text:    hello\n  reason:  there is no channel nws\n');
  expect(text()).toMatch(/send it again: {2}fanfare resend [\w-]{8}\n/u);
  expect(text()).toContain(`${nameIn('nws')} is sent again within 30 seconds, or at the next start of Fanfare.`);
  expect(text()).toContain(`error: only a failed delivery can be sent again; this one is pending: ${nameIn('news')}\n`);
  expect(text()).toContain(`this one is sent: ${nameIn('news')}\n  To list the failed deliveries: fanfare resend`);
  await using store = await openStore({ file });
  const reopened = await find(store, id);
  expect(reopened).toMatchObject({ state: 'pending', resends: [{ by: 'ada (command line)' }] });
  expect((await store.deliveries.plan(reopened))?.step.with).toEqual({ channel: 'news', content: 'corrected' });
  const explained = collectLines();
  await explain({ explainer: openExplainer(environment), rule: 'greet', out: explained.out });
  expect(explained.text()).toMatch(/hello: discord\.send through discord: until .*, sent again by ada \(command line\)/u);
});

test.for([true, false])('whether the list has more failed deliveries is %s in the text and the data', async (more) => {
  const { out, text } = collectLines();
  const lookup = { failed: () => Promise.resolve({ items: [], more }), named: () => Promise.resolve([]) };
  const actions = { resendDelivery: () => Promise.reject(new Error('nothing is sent')) };

  const { data } = await resend({
    lookup,
    actions,
    delivery: undefined,
    by: { name: 'ada', via: 'cli', role: 'admin' },
    timezone: 'UTC',
    out,
  });

  expect(data).toMatchObject({ more });
  expect(text().includes('older failed deliveries')).toBe(more);
});
