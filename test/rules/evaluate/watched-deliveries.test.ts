import { expect, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { NEW_STATE } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Item } from '#src/rules/poll.ts';
import { START_MS } from './fixture.ts';

const accounts = accountsOf(configOfEnvironment({}));

function announced(when: string, items: readonly Item[]) {
  const source = `id: failures\nabout: Failures\nwhen: { every: 1m, watch: history.getDeliveries, first: fire${when} }
then: [{ do: discord.send, with: { channel: team, content: "\${{ item.rule }}" } }]\n`;
  const { rules, diagnostics } = checkRule({ file: 'failures.yaml', source, catalogue, accounts });
  expect(diagnostics).toEqual([]);
  const [rule] = rules;
  if (!rule) throw new Error('the rule has errors');
  const advanced = advance({ rule, state: NEW_STATE, poll: { items, complete: true }, slotMs: START_MS });
  return { ...advanced, keys: advanced.firings.map(({ scope }) => scope.item?.['delivery']) };
}

const delivery = (id: string, watches?: string): Item => ({
  delivery: id,
  rule: id,
  step: '0',
  do: 'discord.send',
  account: 'discord',
  state: 'failed',
  ...(watches !== undefined && { watches }),
});
const DELIVERIES = [
  delivery('of a stream', 'streaming.getStreams'),
  delivery('of a schedule'),
  delivery('of another notifier', 'history.getDeliveries'),
];

test('a rule gets no deliveries of rules that watch deliveries', () => {
  const { keys, decisions } = announced('', DELIVERIES);

  expect(keys).toEqual(['of a stream', 'of a schedule']);
  expect(decisions.map(({ reason }) => reason).filter((reason) => reason?.kind === 'filteredOut')).toMatchObject([
    { count: 1, named: [{ name: 'of another notifier' }] },
  ]);
});

test('its own where also counts', () => {
  expect(announced(', where: item.rule != "of a stream"', DELIVERIES).keys).toEqual(['of a schedule']);
});

test('a delivery for followers is left out, and deliveries without a record have different keys', () => {
  expect(announced('', [{ ...delivery('a'), visibility: 'followers' }, delivery('b'), delivery('c')]).keys).toEqual(['b', 'c']);
});
