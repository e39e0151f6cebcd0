import { describe, expect, test } from 'vitest';
import { check, diagnosticsOf, ruleOf, unmark } from '../../support/rule-language.ts';

const STEP = 'then:\n  - { do: discord.send, with: { channel: live, content: hi } }';
const nowMs = Date.UTC(2026, 10, 20);

function rule(when: string, top = ''): string {
  return `id: r\nwhen: { ${when} }\n${top}${STEP}`;
}

describe('at', () => {
  test.each([
    ['2026-12-24T18:00:00+01:00', '2026-12-24T17:00:00.000Z'],
    ['2026-12-24T18:00Z', '2026-12-24T18:00:00.000Z'],
    ['2026-12-24 18:00 -0530', '2026-12-24T23:30:00.000Z'],
    ['2026-12-24 18:00, timezone: Europe/Paris', '2026-12-24T17:00:00.000Z'],
    ['2026-12-24, timezone: Asia/Tokyo', '2026-12-23T15:00:00.000Z'],
  ])('%s', (at, expected) => {
    const { schedule } = ruleOf(rule(`at: ${at}`));

    expect('atMs' in schedule && new Date(schedule.atMs).toISOString()).toBe(expected);
  });

  test.each([
    ['at: ▲2026-02-30T18:00Z', 'error no-instant when.at'],
    ['at: ▲tomorrow', 'error no-instant when.at'],
    ['at: ▲2026-12-24T18:00+25:00', 'error no-instant when.at'],
  ])('%s: %s', (when, expected) => {
    expect(diagnosticsOf(rule(when), { nowMs })).toContainEqual(`▲ ${expected}`);
  });

  test('with a list, polls once, so that nothing is new', () => {
    const feed = 'at: 2026-12-24T18:00Z, ▲watch: social.getPosts, with: { user: ada }, account: mastodon';

    expect(diagnosticsOf(rule(feed), { nowMs })).toEqual(['▲ warning single-poll when.watch']);
    for (const more of ['first: fire', 'per: slot'])
      expect(diagnosticsOf(rule(`${feed.replace('▲', '')}, ${more}`), { nowMs })).toEqual([]);
  });
});

describe('weeks and except', () => {
  test('are in the schedule', () => {
    const { schedule } = ruleOf(rule('cron: "0 9 * * *", weeks: { every: 2, from: 2026-01-05 }, except: { dates: 12-25 }'));

    expect(schedule).toEqual({
      cron: '0 9 * * *',
      timezone: 'UTC',
      weeks: { every: 2, from: '2026-01-05' },
      except: { dates: ['12-25'], then: 'skip' },
    });
  });

  test('take the days of vars', () => {
    const { schedule } = ruleOf(
      rule(
        'cron: "0 9 * * *", except: { dates: "${{ vars.holidays }}", then: next }',
        'vars: { holidays: [2026-12-24/2027-01-06, 02-29] }\n',
      ),
    );

    expect(schedule).toMatchObject({ except: { dates: ['2026-12-24/2027-01-06', '02-29'], then: 'next' } });
  });

  test.each([
    ['every: 1h, ▲weeks: { every: 2, from: 2026-01-05 }', 'error calendar-without-cron when'],
    ['cron: "0 9 * * *", weeks: { every: 2, from: ▲2026-02-30 }', 'error no-day when.weeks.from'],
    ['cron: "0 9 * * *", except: { dates: [12-25, ▲2026-02-30] }', 'error no-day when.except.dates[1]'],
    ['cron: "0 9 * * *", except: { dates: ▲2027-01-06/2026-12-24 }', 'error no-day when.except.dates'],
    ['cron: "0 * * * *", except: { dates: 12-25, then: ▲next }', 'error next-without-hours when.except.then'],
    ['cron: ▲"0 9 25 12 *", except: { dates: 12-25 }', 'error never-runs when.cron'],
    ['cron: "0 9 * * *", weeks: { every: 2, ▲form: 2026-01-05 }', 'error unknown-key when.weeks.form'],
  ])('%s: %s', (when, expected) => {
    expect(diagnosticsOf(rule(when), { nowMs })).toContainEqual(expect.stringContaining(`▲ ${expected}`));
  });
});

describe('maxAge', () => {
  test.each(['0s', '0m', '500ms'])('of %s is an error, because it would drop late runs', (maxAge) => {
    const { source, place } = unmark(rule(`every: 10s, maxAge: ▲${maxAge}`, 'fuse: { firings: 500, per: 1h }\n'));

    expect(diagnosticsOf(source)).toEqual([`${place} error wrong-value when.maxAge`]);

    const step = unmark(rule('every: 5m').replace('with:', `maxAge: ▲${maxAge}, with:`));

    expect(diagnosticsOf(step.source)).toEqual([`${step.place} error wrong-value then[0].maxAge`]);

    const ask = `do: discord.ask, answerWithin: ▲${maxAge}, with: { channel: live, content: hi, choices: [yes] } }`;
    const question = unmark(rule('every: 5m').replace(/do: discord\.\w+.*$/mu, ask));

    expect(diagnosticsOf(question.source)).toEqual([`${question.place} error wrong-value then[0].answerWithin`]);
  });

  test('of one second is valid', () => {
    expect(diagnosticsOf(rule('every: 5m, maxAge: 1s').replace('with:', 'maxAge: 1000ms, with:'))).toEqual([]);
  });
});

describe('every', () => {
  test.each([
    [
      '1d',
      'every: 1d counts from 1 January 1970, 00:00 UTC, so it runs at midnight UTC',
      'write cron: "0 18 * * *" for every day at 18:00',
    ],
    [
      '24h',
      'every: 24h counts from 1 January 1970, 00:00 UTC, so it runs at midnight UTC',
      'write cron: "0 18 * * *" for every day at 18:00',
    ],
    ['7d', 'every: 7d counts from 1 January 1970, 00:00 UTC, so it runs on Thursdays', 'write cron: "0 18 * * 0" for Sundays at 18:00'],
    ['1w', 'every: 1w counts from 1 January 1970, 00:00 UTC, so it runs on Thursdays', 'write cron: "0 18 * * 0" for Sundays at 18:00'],
    ['2d', 'every: 2d counts from 1 January 1970, 00:00 UTC, so it runs at midnight UTC', undefined],
    ['36h', 'every: 36h counts from 1 January 1970, 00:00 UTC', undefined],
  ])('%s is counted from 1970 and gets a hint about cron', (every, message, hint) => {
    const { diagnostics } = check(rule(`every: ${every}`));

    expect(diagnostics).toMatchObject([{ severity: 'warning', path: 'when.every' }]);
    expect(diagnostics[0]?.message).toBe(message);
    expect(diagnostics[0]?.hint).toBe(hint ?? 'for a time of day, write cron: "0 18 * * *" (every day at 18:00)');
  });
});

describe('a clock change', () => {
  test.each([
    ['30 2 * * *', ['2:15 warning clock-change when.cron']],
    ['0 2,14 * * 1-5', []],
    ['30 3 * * *', []],
    ['30 * * * *', []],
    ['30 */2 * * *', []],
    ['0 2 29 3 *', []],
  ])('%s', (cron, warnings) => {
    const diagnostics = diagnosticsOf(rule(`cron: "${cron}", timezone: Europe/Paris`), { nowMs });

    expect(diagnostics).toEqual(warnings);
  });

  test('does not exist in UTC', () => {
    expect(diagnosticsOf(rule('cron: "30 2 * * *", timezone: UTC'))).toEqual([]);
  });
});

describe('missed: all', () => {
  test('runs missed slots without watch, at most max of them', () => {
    expect(ruleOf(rule('cron: "0 9 * * *", missed: all', 'max: 3\n'))).toMatchObject({ missed: 'all', max: 3 });
  });
});

describe('quiet hours', () => {
  test.each([
    ['{ from: 23:00, to: 8:00, then: hold }', { fromMinute: 1380, toMinute: 480, timezone: 'Europe/Paris', then: 'hold' }],
    [
      '{ from: "00:00", to: "23:59", timezone: Asia/Tokyo, then: drop }',
      { fromMinute: 0, toMinute: 1439, timezone: 'Asia/Tokyo', then: 'drop' },
    ],
  ])('%s', (quiet, expected) => {
    expect(ruleOf(rule('every: 1m, timezone: Europe/Paris', `quiet: ${quiet}\n`)).quiet).toEqual(expected);
  });

  test.each([
    ['{ from: "23:00", to: "08:00", timezone: ▲Mars, then: hold }', 'unknown-time-zone quiet.timezone'],
    ['{ from: "23:00", to: "08:00", then: ▲wait }', 'wrong-value quiet.then'],
    ['{ from: "23:00", to: "08:00", timezone: UTC, then: [{ do: ▲discord.sned }] }', 'unknown-operation quiet.then[0].do'],
  ])('%s: %s', (quiet, expected) => {
    expect(diagnosticsOf(rule('every: 1m', `quiet: ${quiet}\n`))).toEqual([`▲ error ${expected}`]);
  });

  test('have a warning without a time zone, because they are in UTC', () => {
    const quiet = 'quiet: { from: "23:00", to: "08:00", then: hold }\n';
    const { diagnostics } = check(rule('every: 1h', quiet));

    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'quiet-in-utc', path: 'quiet', message: 'these hours are in UTC' }]);
    expect(diagnosticsOf(rule('every: 1h, timezone: Europe/Paris', quiet))).toEqual([]);
    expect(diagnosticsOf(rule('every: 1h', quiet.replace('then', 'timezone: UTC, then')))).toEqual([]);
  });

  test.each(['0 19 * * *', '30 0 9,18 * * MON'])('the hour of cron: "%s" has a warning without a time zone, too', (cron) => {
    const { diagnostics } = check(rule(`cron: "${cron}"`));

    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'cron-in-utc', path: 'when.cron', message: 'this time is in UTC' }]);
    expect(diagnosticsOf(rule(`cron: "${cron}", timezone: UTC`))).toEqual([]);
    expect(diagnosticsOf(rule('cron: "0 */2 * * *"'))).toEqual([]);
  });

  test('have steps at their end that read the deferred firings and no single item', () => {
    const digest = (content: string): readonly string[] =>
      diagnosticsOf(
        rule(
          'every: 1m, watch: streaming.getStreams, with: { users: [ada] }',
          `quiet:\n  from: "23:00"\n  to: "08:00"\n  timezone: UTC\n  then:\n    - { do: discord.send, with: { channel: a, content: "${content}" } }\n`,
        ),
      );

    expect(
      digest("${{ held.map(h, (h.open ? '!' : '') + h.kind + h.item.title + h.previous.title + h.rank + h.episode.polls).join() }}"),
    ).toEqual([]);
    expect(digest('${{ item.title }}')).toEqual(['8:61 error expression quiet.then[0].with.content']);
    expect(digest('${{ held.map(h, h.titel).join() }}')).toEqual(['8:75 error expression quiet.then[0].with.content']);
  });
});

describe('a condition on a time in the past', () => {
  const conditions = (condition: string): readonly string[] =>
    diagnosticsOf(rule('every: 30m').replace('\n', `\nif: ${condition}\n`), { nowMs });

  test.each([
    'now < timestamp("2026-01-01T00:00:00Z")',
    'timestamp("2026-01-01T00:00:00Z") >= now',
    'now > timestamp("2025-01-01T00:00:00Z") && now <= timestamp("2026-01-01T00:00:00Z")',
  ])('is never true again: %s', (condition) => {
    expect(conditions(condition)).toEqual([expect.stringMatching(/ warning decided-clause if$/u)]);
  });

  test.each([
    'now > timestamp("2026-01-01T00:00:00Z")',
    'now < timestamp("2030-01-01T00:00:00Z")',
    'now < timestamp("2026-01-01T00:00:00Z") || now > timestamp("2030-01-01T00:00:00Z")',
  ])('can be true: %s', (condition) => {
    expect(conditions(condition)).toEqual([]);
  });
});

describe('held', () => {
  const night = (content: string): string =>
    `quiet:\n  from: "23:00"\n  to: "02:30"\n  timezone: UTC\n  then:\n    - { do: discord.send, with: { channel: live, content: "${content}" } }\n`;

  test('gets a warning in a rule without watch', () => {
    const { source, place } = unmark(rule('every: 30m', night('Held: ${{ ▲held.size() }}')));
    const { diagnostics } = check(source);

    expect(diagnostics.map(({ line, column, severity, message, hint }) => [`${line}:${column}`, severity, message, hint])).toEqual([
      [place, 'warning', 'held is always empty without watch', 'write then: hold or then: drop, or remove held'],
    ]);
  });

  test('gets no warning if no step reads it or if a list is watched', () => {
    expect(diagnosticsOf(rule('every: 30m', night('Good morning')))).toEqual([]);
    expect(
      diagnosticsOf(rule('every: 30m, watch: streaming.getStreams, with: { users: [ada] }', night('Held: ${{ held.size() }}'))),
    ).toEqual([]);
    expect(
      diagnosticsOf(rule('every: 30m, watch: streaming.getStreams, with: { users: [ada] }, per: slot', night('Held: ${{ held.size() }}'))),
    ).toEqual([]);
  });
});

describe('the gates of a rule', () => {
  test('are read as written', () => {
    expect(ruleOf(rule('every: 1m', 'mode: restart\nmax: 2\nfuse: { firings: 5 }\n'))).toMatchObject({
      mode: 'restart',
      max: 2,
      fuse: { firings: 5, perMs: 3_600_000 },
    });
  });

  test.each([
    ['mode: ▲all', 'wrong-value mode'],
    ['max: ▲0', 'wrong-value max'],
    ['fuse: { firings: ▲0 }', 'wrong-value fuse.firings'],
    ['fuse: { per: ▲often }', 'wrong-value fuse.per'],
  ])('%s: %s', (top, expected) => {
    expect(diagnosticsOf(rule('every: 1m', `${top}\n`))).toEqual([`▲ error ${expected}`]);
  });
});

describe('limit and gather', () => {
  const WATCH = 'when: { every: 5m, watch: streaming.getStreams, with: { users: [ada] } }';
  const watching = (keys: string): string => `id: r\n${WATCH}\n${keys}\n${STEP}`;
  const steps = '[{ do: discord.send, with: { channel: live, content: "${{ held.map(h, h.item.title).join(\', \') }}" } }]';

  test('are read as written', () => {
    const { limit, gather } = ruleOf(
      watching(
        `vars: { most: 5, zone: Asia/Tokyo }\nlimit: { firings: "\${{ vars.most }}", per: 1d, then: hold }\ngather: { cron: "0  20 * * SUN", timezone: "\${{ vars.zone }}", then: ${steps} }`,
      ),
    );

    expect(limit).toEqual({ firings: 5, perMs: 86_400_000, then: 'hold' });
    expect(gather).toMatchObject({ count: 100, schedule: { cron: '0 20 * * SUN', timezone: 'Asia/Tokyo' } });
    expect(gather?.then).toHaveLength(1);
  });

  test('steps alone are enough for a rule', () => {
    expect(diagnosticsOf(`id: r\n${WATCH}\ngather: { count: 5, then: ${steps} }`)).toEqual([]);
  });

  test('gather takes the time zone of when', () => {
    const source = `id: r\n${WATCH.replace('every: 5m', 'every: 5m, timezone: Asia/Tokyo')}\ngather: { cron: "0 20 * * *", then: ${steps} }`;

    expect(diagnosticsOf(source)).toEqual([]);
    expect(ruleOf(source).gather?.schedule?.timezone).toBe('Asia/Tokyo');
  });

  test.each([
    ['limit: { firings: ▲0, per: 1d, then: hold }', 'error wrong-value limit.firings'],
    ['limit: { firings: 5, per: 1d, then: ▲wait }', 'error wrong-value limit.then'],
    ['limit: ▲{ firings: 5, then: hold }', 'error missing-key limit.per'],
    [`limit: { firings: 5, per: 1d, then: [{ do: ▲discord.sned }] }`, 'error unknown-operation limit.then[0].do'],
    [`▲gather: { then: ${steps} }`, 'error gather-without-end'],
    [`gather: { count: ▲101, then: ${steps} }`, 'error wrong-value gather.count'],
    [`gather: { cron: ▲"0 0 30 2 *", then: ${steps} }`, 'error cron gather.cron'],
    [`gather: { cron: "0 0 * * *", timezone: ▲Mars, then: ${steps} }`, 'error unknown-time-zone gather.timezone'],
    [`gather: { count: 5, ▲timezone: UTC, then: ${steps} }`, 'warning unused-time-zone gather'],
    [`gather: { ▲cuont: 5, then: ${steps} }`, 'error unknown-key gather.cuont'],
    [`gather: { count: 5, then: [{ do: discord.send, with: { channel: live, content: "\${{ ▲item.title }}" } }] }`, 'error'],
  ])('%s: %s', (marked, expected) => {
    expect(diagnosticsOf(watching(marked))).toContainEqual(expect.stringContaining(`▲ ${expected}`));
  });

  test.each([
    [`limit: { firings: 5, per: 1d, then: ▲${steps} }`, 'error no-items limit.then'],
    [`▲gather: { count: 5, then: ${steps} }`, 'error no-items'],
  ])('steps for items need a rule with items: %s', (marked, expected) => {
    expect(diagnosticsOf(rule('every: 5m', `${marked}\n`))).toContainEqual(expect.stringContaining(`▲ ${expected}`));
  });
});

describe('a cooldown in a feed', () => {
  const feed = (cooldown: string, more = ''): string =>
    rule(`every: 5m, watch: social.getPosts, with: { user: ada }, account: mastodon${more}`, `cooldown: ${cooldown}\n`);

  test.each(['1d', '{ for: 1d }', '{ for: 1d, per: item }'])('counts for each item alone, so it has no effect: %s', (cooldown) => {
    const { diagnostics } = check(feed(cooldown));

    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'idle-cooldown', line: 3, hint: 'write cooldown: { for: 1d, per: rule }' },
    ]);
  });

  test.each([feed('{ for: 1d, per: rule }'), feed('1d', ', per: poll'), feed('1d', ', changes: [entered, { changed: [text] }]')])(
    'has an effect: %s',
    (source) => expect(check(source).diagnostics).toEqual([]),
  );
});
