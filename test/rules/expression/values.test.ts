import { afterEach, describe, expect, test, vi } from 'vitest';
import { ada, scopeOf, without } from '../../support/rule-language.ts';
import { typeOf, valueOf } from './fixture.ts';

describe('an object', () => {
  test.each([
    ['item.title', ada.title],
    ['item.owner.displayName', 'Ada'],
    ['item.viewerCount', 740],
    ['item.rank', 4],
    ['item.mature', false],
    ['item.tags', ['English', 'chill']],
    ['item.startedAt', ada.startedAt],
    ['items[0].title', ada.title],
    ['items.map(i, i.owner.handle)', ['ada_']],
    ['items[?3].title', undefined],
    ['item["title"]', ada.title],
    ['changes.entered[0].item.title', ada.title],
    ['changes.left.size()', 0],
    ['change.kind', 'entered'],
    ['episode.polls + 1', 6],
    ['episode.peak.viewerCount', 9000],
    ['rule.id', 'x'],
    ['now', '2026-11-20T20:05:00.000Z'],
  ])('%s is %j', (source, expected) => {
    expect(valueOf(source)).toEqual(expected);
  });

  test.each([
    ['item.url', ''],
    ['item.game.name', ''],
    ['item.game.name.size()', 0],
    ['item.language', ''],
    ['item.tags', []],
    ['item.mature', false],
    ['previous.title', ''],
    ['previous.owner.displayName', ''],
    ['previous.tags.size()', 0],
    ['previous.viewerCount', undefined],
    ['previous.startedAt', undefined],
    ['rule.about', ''],
    ['steps.post.url', ''],
    ['steps.post.author.handle', ''],
    ['steps.post.counts.likes', undefined],
    ['steps.found.items.size()', 0],
    ['steps.gone', false],
  ])('has an empty value for a missing field: %s is %j', (source, expected) => {
    const bare = without(ada, 'url', 'game', 'language', 'tags', 'mature');

    expect(valueOf(source, { ...scopeOf(bare), steps: {} })).toEqual(expected);
  });

  test('fails without a required number', () => {
    expect(() => valueOf('item.viewerCount > 1', { item: without(ada, 'viewerCount') })).toThrow('viewerCount is missing');
  });

  test('is a map as a whole expression', () => {
    expect(valueOf('item.owner')).toEqual(ada.owner);
  });
});

describe('the results of steps', () => {
  const post = { id: 'p1', url: 'https://social.test/p1', text: 'hi', counts: { likes: 3 } };

  test.each([
    ['steps.post.id', 'p1'],
    ['steps.post.counts.likes', 3],
    ['steps.who.displayName', 'Grace'],
    ['steps.found.items.map(one, one.text)', ['a', 'b']],
    ['steps.gone', true],
  ])('%s is %j', (source, expected) => {
    const steps = { post, who: { displayName: 'Grace' }, found: { items: [{ text: 'a' }, { text: 'b' }] }, gone: true };

    expect(valueOf(source, { steps })).toEqual(expected);
  });

  test('a result that may be an object or a list is read as a list', () => {
    expect(valueOf('steps.who.items.map(one, one.displayName)', { steps: { who: { items: [{ displayName: 'Grace' }] } } })).toEqual([
      'Grace',
    ]);
  });
});

describe('an optional value', () => {
  test.each([
    ['previous.viewerCount > 5', false],
    ['previous.viewerCount <= 5', false],
    ['5 < previous.viewerCount', false],
    ['previous.viewerCount == 5', false],
    ['5 == previous.viewerCount', false],
    ['previous.viewerCount != 5', false],
    ['previous.viewerCount == previous.viewerCount', false],
    ['previous.viewerCount < 5.5', false],
    ['previous.startedAt < now', false],
    ['item.viewerCount > previous.viewerCount', false],
    ['previous.viewerCount.orValue(0) + 1', 1],
    ['"<" + previous.viewerCount + ">"', '<>'],
    ['compact(previous.viewerCount)', ''],
    ['date(previous.startedAt, "UTC")', ''],
    ['string(previous.viewerCount)', ''],
    ['either(previous.viewerCount, 7)', 7],
    ['sum(items.map(i, previous.viewerCount))', 0],
  ])('that is absent: %s is %j', (source, expected) => {
    expect(valueOf(source)).toEqual(expected);
  });

  test.each([
    ['previous.viewerCount > 5', true],
    ['previous.viewerCount == 600', true],
    ['previous.viewerCount != 5', true],
    ['item.viewerCount > previous.viewerCount', true],
    ['previous.viewerCount >= 599.5', true],
    ['previous.startedAt <= item.startedAt', true],
    ['item.viewerCount - previous.viewerCount.orValue(0)', 140],
    ['compact(previous.viewerCount)', '600'],
    ['either(previous.viewerCount, 7)', 600],
  ])('that is present: %s is %j', (source, expected) => {
    expect(valueOf(source, { previous: { ...ada, viewerCount: 600 } })).toEqual(expected);
  });

  test('is a number or a timestamp', () => {
    expect([typeOf('previous.viewerCount'), typeOf('previous.startedAt')]).toEqual([
      'optional<int>',
      'optional<google.protobuf.Timestamp>',
    ]);
    expect([typeOf('previous.title'), typeOf('previous.mature'), typeOf('previous.tags')]).toEqual(['string', 'bool', 'list<string>']);
  });
});

describe('the functions', () => {
  test.each([
    ['compact(item.viewerCount)', '740'],
    ['compact(5200)', '5.2K'],
    ['compact(1.5)', '1.5'],
    ['duration(episode.lengthMs)', '2h 5m'],
    ['duration(now - item.startedAt)', '2h 5m'],
    ['duration(59000)', '59s'],
    ['duration(0)', '0s'],
    ['now - duration("5m")', '2026-11-20T20:00:00.000Z'],
    ['date(item.startedAt, "Europe/Paris")', 'Nov 20, 2026, 7:00 PM'],
    ['date(item.startedAt, "UTC", "time")', '6:00 PM'],
    ['date(item.startedAt, "Asia/Tokyo", "date")', 'Nov 21, 2026'],
    ['rx("GRÜN", r"(?i)grün")', true],
    ['date(item.startedAt, "Asia/Tokyo", "iso").substring(5)', '11-21'],
    ['string(item.startedAt)', ada.startedAt],
    ['truncate(item.title, 7)', 'Ranked…'],
    ['plain("**hi** @ada")', 'hi ada'],
    ['join(item.tags, " & ")', 'English & chill'],
    ['item.tags.join(", ")', 'English, chill'],
    ['top(item.tags, 1)', ['English']],
    ['top(item.tags, 0 - 5)', []],
    ['sum(items.map(i, i.viewerCount))', 740],
    ['sum([1.5, 2.5])', 4],
    ['sum([1.5, 2])', 3.5],
    ['sum([0.1, 0.2])', 0.3],
    ['"" + (0.1 + 0.2)', '0.3'],
    ['sum([9007199254740992.0, 1.0])', 9_007_199_254_740_992],
    ['sum([0.5].filter(n, n > 1.0)) + 0.5', 0.5],
    ['either("", "b")', 'b'],
    ['either(item.title, "b")', ada.title],
    ['either([], ["x"])', ['x']],
    ['rx(item.title, "(?i)RANKED")', true],
    ['rx(item.title, "^until")', false],
    ['"#" + item.rank + " of " + items.size()', '#4 of 1'],
    ['average([1, 2])', 1.5],
    ['average([0.5, 1.0])', 0.75],
    ['average([0.1, 0.2, 0.3])', 0.2],
    ['average([optional.of(3), optional.none()])', 3],
    ['items.filter(i, !(i in top(items, 1))).size()', 0],
    ['items.filter(item, item in top(items, 1)).size()', 1],
    ['items[0] in items', true],
    ['average(items.filter(i, false).map(i, i.viewerCount))', undefined],
    ['compact(average(items.map(i, i.viewerCount)))', '740'],
    ['fill("{n} and {s}", {"n": item.rank, "s": "x"})', '4 and x'],
    ['fill("{n} of {m}", {"n": item.rank, "m": 5})', '4 of 5'],
    ['["Zoe", "Ärger", "ada", "Ada", "ad-a", "Bo"].sortBy(x, x)', ['ad-a', 'ada', 'Ada', 'Ärger', 'Bo', 'Zoe']],
    ['["a\\u200b", "a", "a\\u200b"].sortBy(x, x)', ['a', 'a\u200b', 'a\u200b']],
    ['[3, 1, 2].sortBy(n, -n)', [3, 2, 1]],
    ['["bb", "a", "cc", "d"].sortBy(x, x.size())', ['a', 'd', 'bb', 'cc']],
    ['[2, 1, 3].sortBy(n, n == 1 ? optional.none() : optional.of(n))', [2, 3, 1]],
    [
      '["bb", "a", "cc", "d"].groupBy(x, x.size())',
      [
        ['bb', 'cc'],
        ['a', 'd'],
      ],
    ],
    ['["b", "a", "b"].groupBy(x, x).sortBy(g, g[0]).map(g, g[0] + string(g.size()))', ['a1', 'b2']],
    ['item.tags.filter(t, t == "").groupBy(t, t)', []],
    ['items.sortBy(i, i.startedAt)[0].owner.handle', 'ada_'],
    ['items.sortBy(i, now - i.startedAt).map(i, i.title)', [ada.title]],
    ['items.groupBy(i, i.game.name).map(g, g.map(i, i.tags.map(t, t.size())))', [[[7, 5]]]],
    ['{"title": item.title, "rank": item.rank}', { title: ada.title, rank: 4 }],
    ['item.title.split(" ")[0].upperAscii()', 'RANKED'],
    ['"a👍b".substring(1, 2)', '👍'],
    ['"👍👍👍".substring(0, "👍👍👍".size() - 1)', '👍👍'],
    ['"👍 a | b".substring("👍 a | b".indexOf("|") + 2)', 'b'],
    ['["a👍b👍".indexOf("👍", 2), "a👍b👍".lastIndexOf("👍"), "a👍b".lastIndexOf("a", 2), "👍".indexOf("x")]', [3, 3, 0, -1]],
    ['"a👍b".split("")', ['a', '👍', 'b']],
    [
      '["👍b".split("", 2), "👍b👍c".split("", 2), "👍b".split("", 0), "👍b".split("", -1)]',
      [['👍', 'b'], ['👍', 'b👍c'], [], ['👍', 'b']],
    ],
    ['["GRÜN".lowerAscii(), "grün".upperAscii()]', ['grün', 'GRÜN']],
  ])('%s is %j', (source, expected) => {
    expect(valueOf(source)).toEqual(expected);
  });

  test('a whole number keeps all digits', () => {
    expect(valueOf('9007199254740993')).toBe('9007199254740993');
  });
});

describe('the calendar, in a process with another time zone', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    ['timestamp("2026-07-01T12:30:00Z").getDayOfYear()', 181],
    ['timestamp("2026-06-30T22:30:00Z").getDayOfYear("Europe/Berlin")', 181],
    ['timestamp("2028-12-31T23:30:00Z").getDayOfYear("UTC")', 365],
    ['timestamp("2026-03-29T06:30:00Z").getHours("America/New_York")', 2],
    ['timestamp("2026-03-28T20:50:00Z").getHours("Asia/Kathmandu")', 2],
    ['timestamp("2026-03-28T20:50:00Z").getMinutes("Asia/Kathmandu")', 35],
    ['timestamp("2026-12-31T23:30:00Z").getFullYear("Europe/Paris")', 2027],
    ['timestamp("2026-12-31T23:30:00Z").getMonth("Europe/Paris")', 0],
    ['timestamp("2026-12-31T23:30:00Z").getDayOfMonth("Europe/Paris")', 0],
    ['timestamp("2026-12-31T23:30:00.250Z").getMilliseconds("Europe/Paris")', 250],
    ['string(timestamp("2026-12-24T18:00:00.000"))', '2026-12-24T18:00:00.000Z'],
    ['string(timestamp("2026-12-24T18:00:00.000+01:00"))', '2026-12-24T17:00:00.000Z'],
    ['string(timestamp("2026-12-24 18:00:00.123456"))', '2026-12-24T18:00:00.123Z'],
    ['string(timestamp("2026-12-24 18:00:00.123+01"))', '2026-12-24T17:00:00.123Z'],
    ['string(timestamp("Thu, 24 Dec 2026 18:00:00"))', '2026-12-24T18:00:00.000Z'],
    ['string(timestamp("Thu, 24 Dec 2026 18:00:00 EST"))', '2026-12-24T23:00:00.000Z'],
    ['string(timestamp("Thu, 24 Dec 2026 18:00:00 CET"))', '2026-12-24T17:00:00.000Z'],
    ['string(timestamp("12/24/2026, 6:00:00 PM"))', '2026-12-24T18:00:00.000Z'],
    ['string(timestamp("12/24/2026 6:00 PM -05:00"))', '2026-12-24T23:00:00.000Z'],
    ['(now - duration("90m") - now + duration("3h")).getMinutes()', 90],
  ])('%s is %j', (source, expected) => {
    vi.stubEnv('TZ', 'Europe/Berlin');

    expect(valueOf(source)).toBe(expected);
  });
});

test('the hour of a timestamp of another year needs no search for clock changes', () => {
  using formats = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');

  expect(valueOf('timestamp("1954-07-01T12:30:00Z").getHours("Pacific/Fiji")')).toBe(0);
  expect(formats).toHaveBeenCalledTimes(1);
});

describe('a hashtag', () => {
  test.each([
    ["hashtag('For beginners')", '#ForBeginners'],
    [`hashtag("Tom Clancy's Rainbow Six® Siege")`, '#TomClancysRainbowSixSiege'],
    ["hashtag('web-dev')", '#webDev'],
    ["hashtag('schema.org')", '#schemaOrg'],
    ["hashtag('over_two')", '#overTwo'],
    ["hashtag('7 Days to Die')", '#7DaysToDie'],
    ["hashtag('Pokémon ポケモン')", '#Pokémonポケモン'],
    ["hashtag('@everyone #1')", '#everyone1'],
    ["hashtag('1942')", ''],
    ["hashtag('')", ''],
  ])('%s is %j', (source, expected) => {
    expect(valueOf(source)).toBe(expected);
  });
});
