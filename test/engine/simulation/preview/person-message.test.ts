import { expect, test } from 'vitest';
import { personMessage } from '#src/engine/simulation/preview/person-message.ts';
import type { PreviewAccounts } from '#src/engine/simulation/preview/preview-accounts.ts';
import { FOLLOWED_RULE } from '#src/engine/rule-sets/shipped-rules.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ACCOUNTS } from '../../../rules/people/people-stage.ts';
import { check } from '../../../support/rule-language.ts';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');

const accounts: PreviewAccounts = {
  poll: () => Promise.reject(new Error('the stream is a sample')),
  perform: () => Promise.reject(new Error('the rule reads nothing')),
  textLimitOf: () => undefined,
  missingParts: () => Promise.resolve([]),
  targetProblems: () => Promise.resolve([]),
};

const fields = {
  twitch: 'ada',
  kick: 'ada_k',
  channel: '1202584131993600010',
  ping: '1202584131993600005',
  message: 'Queen to {game}!',
  color: 0x9146ff,
};
const streamOn = (platform: string) => ({
  platform,
  url: `https://${platform}.example/ada`,
  title: 'Rook endgames',
  game: { name: 'Chess' },
  owner: { displayName: 'Ada' },
});
const rule = (source: string): Rule => check(source, { accounts: ACCOUNTS }).rules[0] as Rule; // the source has one rule
const entry = { id: 'ada', list: 'followed', server: '1202584131993600001', fields };

test('the shipped rule sends a card with the texts of the entry, and a button for each of its platforms', async () => {
  const made = await personMessage(rule(FOLLOWED_RULE.source), { entry, streamOn, accounts, nowMs: NOW_MS });

  expect(made).toMatchObject({
    params: {
      channel: fields.channel,
      content: 'Queen to Chess!',
      mention: [`<@&${fields.ping}>`],
      embed: { author: { name: 'Ada' }, title: 'Rook endgames', url: 'https://twitch.example/ada', color: 0x9146ff },
      buttons: [
        { label: 'Watch on Twitch', url: 'https://twitch.example/ada' },
        { label: 'Watch on Kick', url: 'https://kick.example/ada' },
      ],
    },
  });
});

test.for([
  ['when: { every: 1m, people: followed }\nthen: [{ do: social.createPost, as: bluesky, with: { text: Hello } }]', 'discord.send'],
  ['when: { every: 1m }\nthen: [{ do: discord.send, with: { channel: live, content: Hello } }]', 'people'],
] as const)('a rule without such a message is a failure with its reason: %s', async ([source, reason]) => {
  const made = await personMessage(rule(`id: followed\n${source}\n`), { entry, streamOn, accounts, nowMs: NOW_MS });

  expect(made).toEqual({ failure: expect.stringContaining(reason) });
});
