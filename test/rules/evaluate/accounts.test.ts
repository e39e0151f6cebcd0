import { describe, expect, test } from 'vitest';
import { isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { NEW_STATE } from '#src/rules/episode.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { accounts as known, check } from '../../support/rule-language.ts';
import { MINUTE, START_MS, stream } from './fixture.ts';
import { storedAndLoaded, withChange } from './run-polls.ts';

const ACCOUNTS = { ...known, streaming: { all: ['twitch', 'kick'], defaults: ['twitch'] } };

function ruleOf(when: string, content = "item.accounts.map(one, one.url).join(' ')"): Rule {
  const { rules, diagnostics } = check(
    `
id: both
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, ${when} }
then: [{ id: post, do: discord.send, with: { channel: live, content: "\${{ ${content} }}" } }]
while: [{ do: discord.edit, with: { message: "\${{ steps.post.id }}", content: "\${{ item.title }}" } }]
finally: [{ do: discord.edit, with: { message: "\${{ steps.post.id }}", content: over } }]
`,
    { accounts: ACCOUNTS },
  );
  const [rule] = rules;
  if (!rule) throw new Error(JSON.stringify(diagnostics));
  return rule;
}

const BY_HANDLE = 'account: [twitch, kick], key: item.owner.handle';

/** A stream of ada on an account, for example `twitch/1` with its number. */
function live(text: string): Item {
  const [account = '', number = '1'] = text.split('/');
  const isTwitch = account === 'twitch';
  return stream('ada', {
    account,
    platform: account,
    id: `${account}-${number}`,
    title: `on ${account}`,
    viewerCount: isTwitch ? 900 : 50,
    url: `https://${account}.example/ada`,
  });
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function accountsOf(item: Item | undefined): readonly (string | undefined)[] {
  const all = item?.['accounts'];
  return isJsonList(all) ? all.map((one) => (isJsonObject(one) ? textOf(one['account']) : undefined)) : [];
}

/** The firings of polls, for example `then twitch: twitch kick`: the account of the fields, and all accounts. A function edits the rule. */
function run(rule: Rule, polls: readonly (string | undefined | Rule)[]): readonly string[] {
  let [state, current, minute] = [NEW_STATE, rule, 0];
  return polls.flatMap((poll) => {
    if (typeof poll === 'object') {
      current = poll;
      return [];
    }
    const slotMs = START_MS + minute++ * MINUTE;
    const items = poll === undefined ? [] : poll.split(' ').filter(Boolean).map(live);
    const { firings, change } = advance({
      rule: current,
      state,
      slotMs,
      poll: poll === undefined ? { failure: 'kick: 503' } : { items, complete: true },
    });
    if (change) state = storedAndLoaded(withChange(state, change));
    return firings.map(({ section, scope: { item, change: what } }) => {
      const words = [`${minute - 1}m`, section, textOf(what?.['kind']), `${textOf(item?.['account']) ?? 'none'}:`, ...accountsOf(item)];
      return words.filter((word) => word !== undefined).join(' ');
    });
  });
}

describe('two accounts that have an item with the same key', () => {
  test('are one item with the accounts, open while one of them is live', () => {
    expect(run(ruleOf(BY_HANDLE), ['', 'twitch', 'twitch kick', 'kick', 'kick', '', ''])).toEqual([
      '1m then entered twitch: twitch',
      '2m while twitch: twitch kick',
      '3m while kick: kick',
      '4m while kick: kick',
      '6m finally left kick: kick',
    ]);
  });

  test('keep the account whose fields they have while it is live', () => {
    expect(run(ruleOf(BY_HANDLE), ['', 'kick', 'twitch kick', 'twitch/2 kick', 'twitch/2']).slice(1)).toEqual([
      '2m while kick: twitch kick',
      '3m while kick: twitch kick',
      '4m while twitch: twitch',
    ]);
  });

  test('continue if one of them has a new stream while the other one is live', () => {
    expect(run(ruleOf(BY_HANDLE), ['', 'twitch kick', 'twitch/2 kick']).map((line) => line.split(' ')[1])).toEqual(['then', 'while']);
  });

  test('announce no changed value if one account ends and the other one continues', () => {
    const changes =
      'changes: [entered, left, { changed: [title] }, { rose: { field: viewerCount, above: 100 } }, { fell: { field: viewerCount, below: 100 } }]';
    const fired = run(ruleOf(`${BY_HANDLE}, ${changes}`), ['', 'twitch kick', 'kick', 'kick', 'twitch kick', 'twitch', '', '']);

    expect(fired.filter((line) => line.includes('then'))).toEqual([
      '1m then entered twitch: twitch kick',
      '1m then rose twitch: twitch kick',
      '7m then left twitch: twitch',
    ]);
  });

  test('are announced once by a rule that stores only their presence', () => {
    const [rule] = [ruleOf(BY_HANDLE)].map((one) => ({ ...one, while: [], finally: [], readsList: false }));
    if (!rule) throw new Error('there is a rule');

    expect(run(rule, ['', 'twitch', 'twitch kick', 'twitch kick', 'kick', 'kick'])).toEqual(['1m then entered twitch: twitch']);
  });

  test('do not close if one account cannot be read', () => {
    expect(run(ruleOf(BY_HANDLE), ['', 'twitch kick', undefined, undefined, undefined])).toEqual(['1m then entered twitch: twitch kick']);
  });

  test('count only if they fit `where`', () => {
    expect(run(ruleOf(`${BY_HANDLE}, where: item.viewerCount > 100`), ['', 'twitch kick', 'kick', 'kick'])).toEqual([
      '1m then entered twitch: twitch',
      '3m finally left twitch: twitch',
    ]);
  });

  test('are two items without a common key', () => {
    expect(run(ruleOf('account: [twitch, kick]'), ['', 'twitch kick'])).toEqual([
      '1m then entered twitch: twitch',
      '1m then entered kick: kick',
    ]);
  });

  test('open again if one of them returns with the same stream', () => {
    expect(run(ruleOf(BY_HANDLE), ['', 'twitch kick', '', '', 'kick']).slice(1)).toEqual([
      '3m finally left twitch: twitch kick',
      '4m while kick: kick',
    ]);
  });

  test('are united, and separated, by an edit of `account` without an announcement', () => {
    const [both, one] = [
      ruleOf(BY_HANDLE),
      ruleOf('account: kick, key: item.owner.handle, changes: [entered, { changed: [title] }]', 'item.url'),
    ];

    expect(run(one, ['', 'kick', both, 'twitch kick', one, 'kick', 'kick']).filter((line) => line.includes('then'))).toHaveLength(1);
  });
});

test('`item.accounts` has a type', () => {
  const rule = (field: string, account: string): readonly string[] =>
    check(
      `
id: both
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, account: ${account} }
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.accounts[0].${field} }}" } }]
`,
      { accounts: ACCOUNTS },
    ).diagnostics.map(({ code }) => code);

  expect([rule('url', '[twitch, kick]'), rule('ulr', '[twitch, kick]').length, rule('url', 'kick').length]).toEqual([[], 1, 1]);
});
