import { describe, expect, test } from 'vitest';
import type { Accounts } from '#src/rules/accounts.ts';
import { diagnosticsOf } from '../../support/rule-language.ts';
import { messagesOf, feed, list, slot, user } from './fixture.ts';

describe('a diagnostic of the keys of a rule', () => {
  test.each<[code: string, marked: string, message: string, accounts?: Accounts]>([
    ['error unknown-key', slot({ top: '▲abuot: x' }), 'unknown key: abuot'],
    ['error missing-key', slot({ top: 'cooldown: ▲{ per: rule }' }), 'for is missing'],
    ['error wrong-value', slot({ top: 'about: ▲[x]' }), 'expected text, found a list'],
    ['error wrong-type', slot({ top: 'if: ▲5' }), 'expected true or false, found a whole number'],
    ['error two-schedules', slot({ when: 'every: 1m, ▲at: 2030-01-01T00:00:00Z' }), 'a rule cannot have both every and at'],
    ['error no-schedule', slot({ when: 'missed: once' }).replace('when: {', 'when: ▲{'), 'when needs every, cron, at, command or webhook'],
    [
      'error missed-with-watch',
      list({ when: ', missed: ▲all' }),
      'missed: all cannot be combined with watch, because Fanfare cannot read past lists',
    ],
    ['warning unused-time-zone', slot({ when: 'every: 5m, ▲timezone: Europe/Paris' }), 'timezone has no effect on every, which uses UTC'],
    ['error unknown-time-zone', slot({ when: 'cron: "0 8 * * *", timezone: ▲Europe/Pariss' }), 'unknown time zone Europe/Pariss'],
    ['error too-often', slot({ when: 'every: ▲4s' }), 'the shortest interval is 5 seconds'],
    [
      'warning cron-both-days',
      slot({ when: 'timezone: UTC, cron: ▲"0 0 1 * 1"' }),
      'the rule runs if the day of the month or the day of the week matches',
    ],
    ['error no-instant', slot({ when: 'at: ▲soon' }), 'not a valid date and time'],
    ['error no-time-zone', slot({ when: 'at: ▲2030-01-01 18:00' }), 'a local time needs timezone'],
    ['error key-without-watch', slot({ when: 'every: 1m, ▲take: 3' }), 'take needs watch'],
    ['error unwatchable', slot({ when: 'every: 1m, watch: ▲discord.send' }), 'discord.send cannot be watched: it writes'],
    ['error unknown-operation', slot({ when: 'every: 1m, watch: ▲streaming.getStream' }), 'unknown operation streaming.getStream'],
    ['error not-for-polls', list({}).replace('[ada] }', '[ada], ▲cursor: x }'), 'cursor is not available in watch'],
    ['error unknown-account', list({ when: ', account: ▲twich' }), 'there is no account twich'],
    ['error duplicate-change', list({ when: ', changes: ▲[left, left]' }), 'left appears twice'],
    [
      'error ambiguous-change',
      list({ when: ', per: poll, changes: [▲{ moved: up, changed: [title] }]' }),
      'expected one of moved, changed, rose and fell',
    ],
    ['error not-a-number', list({ when: ', changes: [{ rose: { field: ▲title, above: 5 } }]' }), 'title is not a number'],
    [
      'error rearm-count',
      list({ when: ', changes: [{ fell: { field: viewerCount, below: [1, 2], rearm: ▲[3, 4, 5] } }]' }),
      'rearm has 3 values for 2 thresholds',
    ],
    [
      'error rearm-count',
      list({ when: ', changes: [{ fell: { field: viewerCount, below: 1, rearm: ▲[3, 4] } }]' }),
      'rearm has 2 values for 1 threshold',
    ],
    [
      'error rearm-side',
      list({ when: ', changes: [{ rose: { field: viewerCount, above: 5, rearm: ▲6 } }]' }),
      '6 is above the threshold 5, which would never fire again',
    ],
    ['error unknown-field', list({ when: ', changes: [{ changed: [▲titel] }]' }), 'items have no field titel'],
    [
      'warning short-grace',
      list({ when: ', grace: ▲1m' }),
      'grace is shorter than two polls: a single poll without the item can end its episode',
    ],
    [
      'warning restless-take',
      list({ when: ', ▲take: 3' }),
      'take without settle or cooldown: items near the last rank can be announced repeatedly',
    ],
    [
      'warning moved-per-item',
      list({ when: ', changes: ▲[moved]' }),
      'moved fires for each item, and an item that overtakes another moves both',
    ],
    ['error section-without-watch', slot({ top: '▲while: []' }), 'while needs watch: a rule without watch has no episodes'],
    ['error section-without-item', list({ when: ', per: poll', top: '▲while: []' }), 'while needs per: item, but the rule has per: poll'],
    ['error section-without-entered', list({ when: ', changes: [left]', top: '▲finally: []' }), 'finally needs the change entered'],
    [
      'error cooldown-without-item',
      slot({ top: 'cooldown: { for: 6h, per: ▲item }' }),
      'a cooldown per item needs watch: a rule without watch has no items',
    ],
    [
      'error empty-quiet',
      slot({ top: 'quiet: { from: "23:00", to: ▲"23:00", then: drop }' }),
      'quiet hours cannot begin and end at the same time',
    ],
    ['error value-without-id', slot({ top: 'each: { on: [▲{ name: a }] }' }), 'a map in each needs an id'],
    ['error value-id', slot({ top: 'each: { on: [▲a/b] }' }), 'the id of a value has at most 64 characters, and no slash or comma'],
    ['error duplicate-value', slot({ top: 'each: { on: [a, ▲a] }' }), 'another value has the id a'],
    ['error value-without-id', slot({ top: 'each: { on: [{ id: a }, ▲null] }' }), 'expected text, a number or a map with an id'],
    ['error value-without-id', slot({ top: 'each: { on: [{ id: a }, ▲[a]] }' }), 'expected text, a number or a map with an id'],
    ['error mixed-values', slot({ top: 'each: { on: ▲[{ id: a }, b] }' }), 'some values are maps and others are not'],
    ['error unreadable-name', slot({ top: 'vars: { ▲in: a }' }), 'vars.in is not a valid name'],
    ['error empty-constant', slot({ top: 'vars: { a: ▲~ }' }), 'the value is empty'],
    ['error expression-in-constant', slot({ top: 'vars: { a: [▲"${{ 1 }}"] }' }), 'vars has constants and cannot contain expressions'],
    [
      'error duplicate-step',
      list({
        steps:
          '{ id: a, do: discord.send, with: { channel: x, content: y } }\n  - { id: ▲a, do: discord.send, with: { channel: x, content: y } }',
      }),
      'another step has the id a',
    ],
    ['warning trailing-comment', slot({ top: 'about: ▲Top #1' }), 'the text ends before " #": the rest of the line is a comment'],
    [
      'error cooldown-without-item',
      list({ when: ', per: poll', top: 'cooldown: { for: 6h, per: ▲item }' }),
      'a cooldown per item needs per: item in when',
    ],
    [
      'error rearm-side',
      list({ when: ', changes: [{ fell: { field: viewerCount, below: 5, rearm: ▲4 } }]' }),
      '4 is below the threshold 5, which would never fire again',
    ],
    ['error value-without-id', slot({ top: 'each: { on: [▲[a]] }' }), 'expected text, a number or a map with an id'],
    ['error unreadable-name', slot({ top: 'vars: { a: { ▲constructor: 1 } }' }), 'constructor is not a valid name'],
    [
      'error too-many-instances',
      slot({ top: `▲each: { a: [${Array.from({ length: 501 }, (_, n) => n).join()}] }` }),
      'each makes more than 500 rules',
    ],
    [
      'error unwatchable',
      slot({ when: 'every: 1m, watch: ▲social.getUserId' }),
      'social.getUserId cannot be watched: its result does not change',
    ],
    [
      'warning unused-time-zone',
      slot({ when: 'at: 2030-01-01T00:00:00Z, ▲timezone: Europe/Paris' }),
      'timezone has no effect, because at has an offset',
    ],
    [
      'warning clock-change',
      slot({ when: 'at: ▲2027-03-28 02:30, timezone: Europe/Paris' }),
      'the clocks of Europe/Paris skip 2027-03-28 02:30: the rule runs right after',
    ],
    [
      'warning clock-change',
      slot({ when: 'at: ▲2027-10-31 02:30, timezone: Europe/Paris' }),
      'the clocks of Europe/Paris show 2027-10-31 02:30 twice: the rule runs the first time',
    ],
    [
      'warning clock-change',
      slot({ when: 'cron: ▲"30 2 * * *", timezone: Europe/Paris' }),
      'the clocks of Europe/Paris skip 2026-03-29 02:30 (the rule runs right after) and show 2026-10-25 02:30 twice (the rule runs the first time)',
    ],
    [
      'warning never-outside-quiet',
      slot({ when: 'cron: ▲"0 3 * * *", timezone: Europe/Paris', top: 'quiet: { from: "23:00", to: "08:00", then: drop }' }),
      'the rule announces nothing: all its runs are in the quiet hours, which drop everything',
    ],
    [
      'warning never-outside-quiet',
      slot({ when: 'at: ▲2027-03-01T03:00:00Z', top: 'quiet: { from: "23:00", to: "08:00", timezone: UTC, then: drop }' }),
      'the rule announces nothing: all its runs are in the quiet hours, which drop everything',
    ],
    [
      'warning limit-above-fuse',
      list({ top: 'limit: { firings: ▲50, per: 30m, then: drop }' }),
      'the limit has no effect: the fuse pauses the rule after 30 firings in 1h',
    ],
    ['warning past-instant', slot({ when: 'at: ▲2020-01-01T00:00:00Z' }), 'this time is in the past: the rule never runs'],
    [
      'error feed-has-no-end',
      feed({ when: ', ▲grace: 10m' }),
      'social.getMentions is a feed: a missing item is not gone, so there is no grace',
    ],
    [
      'error feed-has-no-end',
      feed({ when: ', changes: ▲[left]' }),
      'social.getMentions is a feed: a missing item is not gone, so nothing has left',
    ],
    [
      'error feed-has-no-end',
      feed({ top: '▲finally: []' }),
      'social.getMentions is a feed: a missing item is not gone, so there is no end for finally',
    ],
    ['error impossible-change', user(', changes: ▲[left]'), 'streaming.getUser returns one record, which never leaves'],
    [
      'error never-fires',
      user('').replace('watch', '▲watch'),
      'streaming.getUser returns one record, which exists from the first poll on: the rule never fires',
    ],
    [
      'warning unread-pages',
      slot({ when: 'every: 1m, ▲watch: social.getUserFollowers, account: bluesky, with: { user: ada }' }),
      'not all pages are read: a missing item can be on another page, so no item ever leaves',
    ],
    [
      'warning decided-clause',
      list({ top: 'if: item.viewerCount > 10 || ▲item.viewerCount > 20' }),
      'this has no effect, because it is true only if this is true: item.viewerCount > 10',
    ],
    ['error wrong-type', list({ when: ', key: ▲item.owner' }), 'expected text or a whole number, found an object'],
    ['error wrong-value', slot({ when: 'every: ▲often' }), 'not a duration: write it as 90s, 1h30m or 7d'],
    ['error wrong-value', slot({ when: 'every: ▲999999w' }), 'a duration is at most ten years'],
    ['error wrong-value', slot({ when: 'every: 1m, maxAge: ▲0s' }), 'maxAge is at least 1s'],
    ['error wrong-value', slot({ when: 'every: 1m, watch: ▲getStreams' }), 'not an operation: write it as streaming.getStreams'],
    ['error wrong-value', slot({}).replace('id: r', 'id: ▲Big'), 'an id has 1 to 64 lower-case letters, digits and -'],
    ['error wrong-value', slot({ top: 'quiet: { from: ▲"24:00", to: "08:00", then: drop }' }), 'not a time of day: write it as "23:00"'],
  ])('%s has its message: %#', (code, marked, message, accounts) => {
    expect(messagesOf(marked, accounts)).toEqual([`▲ ${code}: ${message}`]);
  });

  // The tests of documents, expressions, cron expressions and schedules assert the messages of these codes.
  test.each<[code: string, marked: string]>([
    ['error empty-file', '▲# nothing'],
    ['error duplicate-key', `${slot({})}▲id: s`],
    ['error tag', slot({ top: 'about: !!str ▲y' })],
    ['error unknown-anchor', slot({ top: 'vars: [▲*x]' })],
    ['error misread-text', slot({ top: 'about: ▲*bold* text' })],
    ['error bare-braces', slot({ top: 'about: ▲{{ x }}' })],
    ['error syntax', 'id: r\nwhen:\n▲\tevery: 1m'],
    ['error unclosed', 'id: r\nwhen: ▲{ every: 1m\n'],
    ['error expression', slot({ top: 'if: ▲nothing == 1' })],
    ['warning decided-clause', list({ top: 'if: item.viewerCount > 5 && ▲item.viewerCount < 3' })],
    ['error constant-value', list({ top: 'if: item.viewerCount > ▲int("abc")' })],
    ['warning misread-pattern', list({ top: 'if: rx(item.title, ▲"speedrun|")' })],
    ['warning daily-grid', slot({ when: 'every: ▲1d' })],
    ['error cron', slot({ when: 'cron: ▲"0 0 30 2 *"' })],
    ['warning small-fuse', slot({ when: 'every: ▲1m' })],
    ['error too-large', `▲about: ${'x'.repeat(70_000)}`],
  ])('%s has its code at its place', (code, marked) => {
    expect(diagnosticsOf(marked)).toContainEqual(expect.stringMatching(new RegExp(`^▲ ${code}(?: |$)`, 'u')));
  });
});
