import { describe, expect, test } from 'vitest';
import { TEXT_LIMITS } from '../../support/text-limits.ts';
import { list, messagesOf, slot } from './fixture.ts';

const accounts = {
  streaming: { all: ['twitch'], defaults: [] },
  discord: { all: ['discord'], defaults: [] },
  social: { all: ['x', 'bluesky'], defaults: ['x', 'bluesky'], textLimits: { x: TEXT_LIMITS.x, bluesky: TEXT_LIMITS.bluesky } },
};
const post = (keys: string, parameters = 'text: "Live now"'): string => `{ do: social.createPost, ${keys}with: { ${parameters} } }`;
const whileLive = (step: string): string => list({ top: `while:\n  - ${step}` });
const CHANGED = '"${{ item.title }}"';

describe('a post with the same text each time, which X refuses', () => {
  test.each([
    [
      'for each element',
      list({ when: ', per: poll', steps: post('forEach: items, ', 'text: ▲"Live now"') }),
      'each element of forEach posts the same text, and x refuses all posts after the first one',
    ],
    [
      'while an item stays',
      whileLive(post('every: 4h, ', 'text: ▲"Live now"')),
      'this text is posted every 4h, and x refuses a text that it had in the last 12h',
    ],
    [
      'at each slot',
      slot({ when: 'every: 6h', steps: post('', 'text: ▲"Live now"') }),
      'this text is posted every 6h, and x refuses a text that it had in the last 12h',
    ],
    [
      'with a fixed value',
      slot({ when: 'every: 6h', top: 'vars: { line: Live now }', steps: post('', 'text: ▲"${{ vars.line }}"') }),
      'this text is posted every 6h, and x refuses a text that it had in the last 12h',
    ],
    [
      'at two times of a day',
      slot({ when: 'cron: "0 9,18 * * *", timezone: Europe/Paris', steps: post('', 'text: ▲"Live now"') }),
      'this text is posted again after 9h, and x refuses a text that it had in the last 12h',
    ],
    [
      'each hour on one day of the year',
      slot({ when: 'cron: "0 * 31 12 *", timezone: Europe/Paris', steps: post('', 'text: ▲"Live now"') }),
      'this text is posted again after 1h, and x refuses a text that it had in the last 12h',
    ],
  ])('%s has a warning', (_, source, message) => {
    expect(messagesOf(source, accounts)).toEqual([`▲ warning refused-repeat: ${message}`]);
  });

  test.each([
    ['once a day', slot({ when: 'every: 1d', steps: post('') })],
    ['each day at a time', slot({ when: 'cron: "0 9 * * *", timezone: Europe/Paris', steps: post('') })],
    [
      'at midnight and noon, which are 11h apart when the clocks change',
      slot({ when: 'cron: "0 0,12 * * *", timezone: Europe/Paris', steps: post('') }),
    ],
    ['at two times of a day with a cooldown', slot({ when: 'cron: "0 9,18 * * *", timezone: UTC', top: 'cooldown: 12h', steps: post('') })],
    [
      'at two times of a day, one of them in quiet hours',
      slot({
        when: 'cron: "0 9,18 * * *", timezone: UTC',
        top: 'quiet: { from: "17:00", to: "08:00", timezone: UTC, then: drop }',
        steps: post(''),
      }),
    ],
    ['once at a time', slot({ when: 'at: 2026-05-01T10:00:00Z', steps: post('') })],
    ['at each start of a stream', list({ steps: post('') })],
    ['with a condition', slot({ when: 'every: 6h', steps: post('if: now.getHours("UTC") == 6, ') })],
    ['in a rule with a condition', slot({ when: 'every: 6h', top: 'if: now.getHours("UTC") == 6', steps: post('') })],
    ['in a rule with a cooldown', slot({ when: 'every: 6h', top: 'cooldown: 2d', steps: post('') })],
    ['with an expression', slot({ when: 'every: 6h', steps: post('', 'text: "It is ${{ now }}"') })],
    ['below a changing warning', slot({ when: 'every: 6h', steps: post('', 'text: Hi, warning: "${{ string(now) }}"') })],
    ['with a picture', slot({ when: 'every: 6h', steps: post('', 'text: Hi, files: [{ path: a.png, altText: A }]') })],
    ['with a poll', slot({ when: 'every: 6h', steps: post('', 'text: Hi, poll: { options: [a, b], durationMinutes: 60 }') })],
    ['as a reply to each post', whileLive(post('every: 4h, ', 'text: Hi, replyTo: "${{ string(item.id) }}"'))],
    ['for each element with its name', list({ when: ', per: poll', steps: post('forEach: items, ', 'text: "${{ it.title }}"') })],
    ['on another platform', slot({ when: 'every: 6h', steps: post('as: bluesky, ') })],
    ['while an item stays, with its title', whileLive(post('every: 4h, ', `text: ${CHANGED}`))],
  ])('%s has none', (_, source) => {
    expect(messagesOf(source, accounts).filter((one) => one.includes('refused-repeat'))).toEqual([]);
  });
});
