import { expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import type { DeliverySelection, LoggedDelivery } from '#src/clients/history/delivery-log.ts';
import { getDeliveries } from '#src/clients/history/deliveries.ts';
import { History } from '#src/clients/history/history.ts';
import { recorded } from '#src/clients/history/recorded.ts';
import { perform } from '#src/clients/operation/client.ts';
import { emptyHistory } from '../../support/history.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const SENT_AT = new Date('2026-11-20T18:00:01Z');

function logged(changes: Partial<LoggedDelivery> = {}): LoggedDelivery {
  return {
    id: 'd1',
    rule: 'copy',
    item: { key: 'p1' },
    step: 'post',
    do: 'social.createPost',
    account: 'mastodon',
    state: 'sent',
    createdAt: new Date('2026-11-20T18:00:00Z'),
    sentAt: SENT_AT,
    params: { text: 'Hello' },
    text: 'Hello',
    result: { platform: 'mastodon', id: '7', url: 'https://social.test/@us/7', text: '<p>Hello</p>' },
    watches: 'social.getPosts',
    ...changes,
  };
}

/** History over these deliveries. `asked` has the selections of the log. */
function historyOf(...deliveries: readonly LoggedDelivery[]) {
  const asked: DeliverySelection[] = [];
  const clock = new ManualClock();
  const log = {
    ...emptyHistory.deliveries,
    select(selection: DeliverySelection) {
      asked.push(selection);
      return Promise.resolve(deliveries.filter(selection.accepts));
    },
  };
  const history = new History({ platform: recorded({ ...emptyHistory, deliveries: log, catalogue, clock }), clock });
  return { history, asked, clock };
}

test('a delivery has the fields of its record', async () => {
  const { history } = historyOf(logged());

  const { items } = await history.getDeliveries();

  expect(items).toEqual([
    {
      delivery: 'd1',
      rule: 'copy',
      key: 'p1',
      step: 'post',
      do: 'social.createPost',
      account: 'mastodon',
      state: 'sent',
      platform: 'mastodon',
      id: '7',
      url: 'https://social.test/@us/7',
      text: 'Hello',
      visibility: 'public',
      watches: 'social.getPosts',
      decidedAt: new Date('2026-11-20T18:00:00Z'),
      sentAt: SENT_AT,
    },
  ]);
});

test('a failed delivery has its reason and no record', async () => {
  const failed = { state: 'failed', error: { message: 'mastodon: too long' }, message: 'no attempt succeeded', result: undefined } as const;
  const { history } = historyOf(logged({ ...failed, sentAt: undefined }));

  expect((await history.getDeliveries()).at(0)).toMatchObject({ reason: 'mastodon: too long', id: undefined, sentAt: undefined });
});

test.for([
  ['a public post', {}, 'public'],
  ['a post for followers', { params: { text: 'Hi', visibility: 'followers' } }, 'followers'],
  ['a post that the platform restricted', { result: { id: '7', visibility: 'direct' } }, 'direct'],
  ['an unlisted post', { params: { text: 'Hi', visibility: 'unlisted' } }, 'public'],
  ['a post made from a direct post', { origins: [{ restriction: 'direct' }] }, 'direct'],
  ['a post made from two restricted posts', { origins: [{ restriction: 'direct' }, { restriction: 'followers' }] }, 'direct'],
  ['a direct message', { do: 'social.sendMessage', params: { user: 'ada', text: 'Hi' }, result: { id: '9' } }, 'direct'],
  ['a direct message that failed', { do: 'social.sendMessage', state: 'failed', result: undefined }, 'direct'],
  ['a private list', { do: 'social.createList', params: { name: 'Secret', isPrivate: true } }, 'direct'],
  ['a message in Discord', { do: 'discord.send', params: { channel: 'live', content: 'Hi' }, result: { id: '1/2' } }, 'public'],
  ['a message to a member in Discord', { do: 'discord.send', params: { user: 'ada', content: 'Hi' }, result: { id: '1/2' } }, 'direct'],
  ['the answer to a command', { do: 'discord.answer', params: { command: '1', content: 'Hi' }, result: { id: '1/2' } }, 'direct'],
] as const)('the audience of %s', async ([, changes, visibility]) => {
  const { history } = historyOf(logged(changes));

  expect((await history.getDeliveries()).at(0)?.visibility).toBe(visibility);
});

test('a look-up is listed only if it failed', async () => {
  const read = { do: 'social.getUserInfo' } as const;
  const { history } = historyOf(
    logged({ ...read, id: 'read' }),
    logged({ ...read, id: 'failed', state: 'failed' }),
    logged({ ...read, id: 'skipped', state: 'skipped' }),
    logged({ id: 'skipped write', state: 'skipped' }),
  );

  expect((await history.getDeliveries()).items.map(({ delivery }) => delivery)).toEqual(['failed', 'skipped write']);
});

test('the parameters select deliveries', async () => {
  const { history, asked, clock } = historyOf();

  await history.getDeliveries({ rule: 'copy', key: 'p1', step: 'post', account: 'x', state: 'sent', since: '1h' });

  expect(asked).toMatchObject([
    { rule: 'copy', key: 'p1', step: 'post', account: 'x', state: 'sent', sinceMs: clock.nowMs() - 3_600_000, limit: 1000 },
  ]);
  await expect(history.getDeliveries({ state: 'lost' as 'sent' })).rejects.toMatchObject({ name: 'ValidationError' });
});

test('a result at the limit is approximate', async () => {
  const { history } = historyOf(...Array.from({ length: 1000 }, (_, index) => logged({ id: `${index}` })));

  expect((await history.getDeliveries()).approximate).toBe(true);
});

test('a look-up about an item waits for an earlier delivery that is not finished, and a poll does not', async () => {
  const clock = new ManualClock();
  const asked: unknown[] = [];
  const log = {
    ...emptyHistory.deliveries,
    unfinishedSince(of: object, { before }: { readonly before: string }) {
      asked.push({ ...of, before });
      return Promise.resolve(clock.nowMs() - 60_000);
    },
  };
  const history = new History({ platform: recorded({ ...emptyHistory, deliveries: log, catalogue, clock }), clock });
  const read = (params: object, reader?: string): Promise<unknown> => perform(history, getDeliveries.declared, params, { reader });

  await expect(read({ rule: 'copy', key: 'p1' }, 'd2')).rejects.toMatchObject({
    name: 'Postponed',
    until: new Date(clock.nowMs() + 6_000),
  });
  await read({ rule: 'copy', key: 'p1' });
  await read({ rule: 'copy' }, 'd2');

  expect(asked).toEqual([{ rule: 'copy', key: 'p1', before: 'd2' }]);
});
