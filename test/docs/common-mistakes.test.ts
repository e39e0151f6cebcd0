import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';

const PAGE = 'docs/reference/common-mistakes.md';

/** A rule with one mistake. */
function mistake({ when = 'watch: streaming.getStreams, with: { users: [ada] }', content = 'content: hello', more = '' }): string {
  return `id: mistake\nwhen: { every: 5m, ${when} }\n${more}then:\n  - do: discord.send\n    with:\n      channel: live\n      ${content}\n`;
}

const MISTAKES: readonly (readonly [name: string, source: string, severity: 'error' | 'warning', message: RegExp])[] = [
  ['a comment that was meant as text', mistake({ content: 'content: Top 5 # today' }), 'warning', /ends before " #"/],
  ['a colon and a space', mistake({ content: 'content: ${{ item.title }}: live' }), 'error', /./],
  ['a tag', mistake({ more: 'if: !item.mature\n' }), 'error', /./],
  ['quotes inside quotes', mistake({ content: 'content: "${{ items.map(i, i.title).join("\\n") }}"' }), 'error', /./],
  ['a line break without double quotes', mistake({ content: String.raw`content: Live!\nNow` }), 'warning', /double quotes/],
  [
    'the beginning of a short text',
    mistake({ content: 'content: ${{ item.title.substring(0, 50) }}' }),
    'warning',
    /write truncate\(item\.title, 50\)/,
  ],
  ['braces without a dollar', mistake({ content: 'content: "{{ item.title }}"' }), 'warning', /is sent as text, not evaluated/],
  ['a placeholder of another bot', mistake({ content: 'content: "{title} is live"' }), 'warning', /is sent as text, not replaced/],
  [
    'a dot between thousands',
    mistake({ when: 'watch: streaming.getTopStreams, where: item.viewerCount > 1.000' }),
    'warning',
    /1\.000 is the number 1/,
  ],
  ['an assignment', mistake({ when: 'watch: streaming.getTopStreams, where: item.game.name = "Chess"' }), 'error', /==/],
  [
    'a placeholder of search fields',
    mistake({ when: 'watch: streaming.getTopStreams, where: item.title == "*chess*"' }),
    'warning',
    /write item\.title\.contains\("chess"\)/,
  ],
  [
    'an if that contradicts where',
    mistake({ when: 'watch: streaming.getTopStreams, where: item.viewerCount > 100', more: 'if: item.viewerCount < 50\n' }),
    'warning',
    /is never true/,
  ],
  [
    'a condition that excludes nothing',
    mistake({ more: 'if: item.game.name != "Chess" || item.game.name != "Go"\n' }),
    'warning',
    /is always true.*write &&/,
  ],
  ['a change that does not fire', mistake({ more: 'if: change.kind == "left"\n' }), 'warning', /add left to changes/],
  [
    'a value that a field never has',
    mistake({ when: 'watch: streaming.getUserVideos, with: { user: ada }, where: item.kind == "vod"' }),
    'warning',
    /item.kind is never "vod"/,
  ],
  [
    'an audience that the rule leaves out',
    mistake({ when: 'watch: social.getMentions, where: item.visibility == "direct"' }),
    'warning',
    /add include: \[direct\] to when/,
  ],
  ['a number that can be absent', mistake({ more: 'if: previous.viewerCount + 10 > 3\n' }), 'error', /orValue/],
  [
    'a control character in a pattern',
    mistake({ more: String.raw`if: rx(item.title, "\bspeedrun\b")` + '\n' }),
    'error',
    /r"\\bspeedrun\\b"/,
  ],
  ['an hour without a time zone', mistake({ more: 'if: now.getHours() >= 22\n' }), 'warning', /getHours\("Europe\/Paris"\)/],
  ['a date without a time', mistake({ more: 'if: now > timestamp("2030-12-24")\n' }), 'error', /2030-12-24T00:00:00Z/],
  ['a pattern between slashes', mistake({ more: 'if: rx(item.title, "/speedrun/i")\n' }), 'warning', /\(\?i\)speedrun/],
  [
    'a variable that where does not have',
    mistake({ when: 'watch: history.getDeliveries, where: item.rule != rule.id' }),
    'error',
    /write the id of the rule as text/,
  ],
  [
    'a result of while in finally',
    mistake({
      more: 'while: [{ id: a, every: 3h, do: discord.send, with: { channel: live, content: hi } }]\nfinally: [{ do: discord.delete, with: { message: "${{ steps.a.id }}" } }]\n',
    }),
    'error',
    /history\.getDeliveries/,
  ],
  [
    'a cooldown for each item of a feed',
    mistake({ when: 'watch: social.getPosts, with: { user: ada }', more: 'cooldown: 1d\n' }),
    'warning',
    /an item of a feed is announced once/,
  ],
  [
    'a single poll',
    mistake({ when: 'watch: social.getPosts, with: { user: ada }' }).replace('every: 5m', 'at: 2030-12-24T18:00:00Z'),
    'warning',
    /add first: fire to when/,
  ],
  [
    'a list in a rule that fires for each item',
    mistake({ content: 'content: "${{ it.title }}"' }).replace('  - do:', '  - forEach: items\n    do:'),
    'warning',
    /read item instead of it/,
  ],
  [
    'an answer to each change of a conversation',
    mistake({ when: 'watch: social.getInbox, include: [direct], changes: [{ changed: [lastMessage.id] }]' })
      .replace('discord.send', 'social.sendMessage')
      .replace('channel: live', 'user: ada')
      .replace('content: hello', 'text: hello'),
    'warning',
    /add if: "!item\.lastMessage\.sender\.self"/,
  ],
  [
    'include without a step for its items',
    mistake({ when: 'watch: social.getMentions, include: [direct]' }),
    'warning',
    /answer the authors with a reply or a direct message/,
  ],
  [
    'where with webhook',
    mistake({ when: 'webhook: shop, fields: { amount: number }, where: item.amount > 1.0' }).replace('every: 5m, ', ''),
    'error',
    /as if of the rule/,
  ],
  [
    'a limit for each item',
    mistake({ more: 'limit: { firings: 3, per: item, then: drop }\n' }),
    'error',
    /limit counts all firings of the rule/,
  ],
  [
    'an each that nothing reads',
    mistake({ more: 'each: { streamer: [ada, grace] }\n' }),
    'warning',
    /no expression reads each\.streamer: 2 equal rules announce the same/,
  ],
  ['take alone', mistake({ when: 'watch: streaming.getTopStreams, take: 5' }), 'warning', /settle: 10m/],
  ['moved for each item', mistake({ when: 'watch: streaming.getTopStreams, changes: [moved]' }), 'warning', /per: poll/],
  ['every: 1d', mistake({}).replace('every: 5m', 'every: 1d'), 'warning', /cron|UTC/],
  ['six fields of cron', mistake({}).replace('every: 5m', 'cron: "0 18 * * * *"'), 'warning', /each hour, at minute 18/],
  ['a zone without summer time', mistake({}).replace('every: 5m', 'cron: "0 18 * * *", timezone: EST'), 'warning', /America/],
  [
    'quiet hours without a time zone',
    mistake({ more: 'quiet: { from: "22:00", to: "08:00", then: hold }\n' }),
    'warning',
    /in UTC.*timezone: Europe\/Paris/,
  ],
  [
    'each minute of an hour',
    mistake({ when: 'missed: once' }).replace('every: 5m', 'cron: "* 20 * * 5"'),
    'warning',
    /write cron: "0 20 \* \* 5"/,
  ],
  [
    'one text for both changes',
    mistake({ when: 'watch: streaming.getTopStreams, changes: [entered, left]' }),
    'warning',
    /add if: change\.kind == "entered"/,
  ],
  [
    'a number that always changes',
    mistake({ when: 'watch: streaming.getTopStreams, changes: [{ changed: [viewerCount] }]' }),
    'warning',
    /rose: \{ field: viewerCount, every: 100 \}/,
  ],
  ['a list that nothing reads', mistake({ when: 'watch: streaming.getTopStreams, per: slot' }), 'warning', /remove per/],
  [
    'an edit of each edited post',
    mistake({ when: 'watch: social.getPosts, with: { user: ada }, changes: [{ changed: [text] }]' }).replace(
      /do: discord.send[^]*/u,
      'do: social.editPost\n    with: { post: "${{ item.id }}", text: "edited" }\n',
    ),
    'warning',
    /false after the edit/,
  ],
  ['the id of another platform', mistake({ content: 'user: "${{ item.owner.id }}"' }), 'warning', /vars\.members\[\?item\.owner\.handle\]/],
  [
    'a text instead of an address',
    mistake({ content: 'embed: { title: hi, image: "${{ item.title }}" }' }),
    'warning',
    /the message is sent without it/,
  ],
  ['the fuse of every: 1m', mistake({ when: 'per: slot, watch: streaming.getTopStreams' }).replace('5m', '1m'), 'warning', /fuse/],
];

test.for(MISTAKES)('check reports the mistake: %s', ([, source, severity, message]) => {
  const { diagnostics } = checkRule({
    file: 'rules/mistake.yaml',
    source,
    catalogue,
    accounts: accountsOf(configOfEnvironment({})),
    nowMs: Date.parse('2026-11-20T12:00:00Z'),
  });

  expect(
    diagnostics
      .filter((diagnostic) => diagnostic.severity === severity)
      .map((diagnostic) => `${diagnostic.message} ${diagnostic.hint ?? ''}`),
  ).toContainEqual(expect.stringMatching(message));
});

test('the page marks as many mistakes as check reports', () => {
  const rows = readFileSync(PAGE, 'utf8').match(/^\| .* \| ✓ \| .* \|$/gmu) ?? [];

  expect(rows).toHaveLength(MISTAKES.length);
});
