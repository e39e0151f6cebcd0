import { describe, expect, test } from 'vitest';
import { planSteps } from '#src/rules/firing.ts';
import { check } from '../../support/rule-language.ts';
import { ACCOUNTS } from '../people/people-stage.ts';
import { messagesOf } from './fixture.ts';

const AS_ITEM = '"${{ item.account }}"';
const LOOKUP = `{ id: vods, do: streaming.getUserVideos, as: ${AS_ITEM}, with: { user: ada }, onError: continue }`;
const STREAMS = 'watch: streaming.getStreams, with: { users: [ada] }';

function rule(when: string, step = LOOKUP, rest = ''): string {
  return `id: r\nwhen: { every: 1m, ${when} }\nthen:\n  - ${step}\n${rest}`;
}

const BOTH = rule(`${STREAMS}, account: [twitch, kick], key: item.owner.handle`);

describe('a look-up as the account of the item', () => {
  test('runs as the account that read the item, and is skipped if its platform does not support it', () => {
    const { rules, diagnostics } = check(BOTH, { accounts: ACCOUNTS });
    const of = { rule: 'r', episode: 'ada@1', section: 'then', occasion: '1' } as const;
    const plan = (item: { readonly account?: string }) =>
      planSteps(rules[0]?.then ?? [], of, { item }).map(({ account, suppressed }) => [account, suppressed?.reason]);

    expect(diagnostics).toEqual([]);
    expect(plan({ account: 'twitch' })).toEqual([['twitch', undefined]]);
    expect(plan({ account: 'kick' })).toEqual([['kick', { kind: 'unsupported', account: 'kick', do: 'streaming.getUserVideos' }]]);
    expect(plan({})).toEqual([['twitch', undefined]]);
  });

  test('its result is that of this account', () => {
    const { rules } = check(BOTH, { accounts: ACCOUNTS });

    expect(rules[0]?.names).toMatchObject({ steps: { vods: 'streaming.getUserVideos' }, accounts: undefined });
  });

  test('a rule with one account needs no other spelling', () => {
    expect(messagesOf(rule(`${STREAMS}, account: twitch`), ACCOUNTS)).toEqual([]);
  });

  test.each([
    [
      'a write',
      BOTH.replace(LOOKUP, `{ do: discord.send, as: ▲${AS_ITEM}, with: { channel: a, content: hi } }`),
      'discord.send is not a look-up',
    ],
    [
      'a platform without it',
      rule(`${STREAMS}, account: kick`).replace(AS_ITEM, `▲${AS_ITEM}`),
      'kick does not support streaming.getUserVideos',
    ],
    [
      'a rule without items',
      rule('per: slot').replace(', per: slot', '').replace(AS_ITEM, `▲${AS_ITEM}`),
      'as: ${{ item.account }} needs a rule that watches items of streaming and fires for each',
    ],
    [
      'items of another client',
      rule('watch: social.getMentions, account: bluesky').replace(AS_ITEM, `▲${AS_ITEM}`),
      'as: ${{ item.account }} needs a rule that watches items of streaming and fires for each',
    ],
    [
      'a firing for a whole poll',
      rule(`${STREAMS}, account: twitch, per: poll`).replace(AS_ITEM, `▲${AS_ITEM}`),
      'as: ${{ item.account }} needs a rule that watches items of streaming and fires for each',
    ],
  ])('is refused for %s', (_, source, message) => {
    expect(messagesOf(source, ACCOUNTS)).toContain(`▲ error item-account: ${message}`);
  });

  test('another expression over the item is refused', () => {
    const source = rule(`${STREAMS}, account: twitch`).replace(AS_ITEM, '"${{ ▲item.platform }}"');

    expect(messagesOf(source, ACCOUNTS)).toEqual([expect.stringMatching(/^▲ error /u)]);
  });
});
