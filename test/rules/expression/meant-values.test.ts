import { describe, expect, test } from 'vitest';
import { refusalOf, typeOf } from './fixture.ts';

/** The hint of an invalid expression. */
function hintOf(source: string): string | undefined {
  return /^\d+: .*? \((.*)\)$/su.exec(refusalOf(source))?.[1];
}

describe('a word of another bot', () => {
  test.each([
    ['streamer', 'item.owner.displayName'],
    ['streamer.name', 'item.owner.displayName'],
    ['channel', 'item.owner.displayName'],
    ['display_name', 'item.owner.displayName'],
    ['userName', 'item.owner.displayName'],
    ['game', 'item.game.name'],
    ['category', 'item.game.name'],
    ['link', 'item.url'],
    ['streamUrl', 'item.url'],
    ['viewers', 'item.viewerCount'],
    ['thumbnail', 'item.thumbnailUrl'],
    ['started_at', 'item.startedAt'],
    ['peakViewers', 'episode.peak.viewerCount'],
    ['uptime', 'duration(now - item.startedAt)'],
    ['uptime()', 'duration(now - item.startedAt)'],
    ['items[0].uptime', 'duration(now - items[0].startedAt)'],
    ['item.live', 'episode.open'],
    ['today', 'date(now, "Europe/Paris", "date")'],
    ['today()', 'date(now, "Europe/Paris", "date")'],
    ['tomorrow', 'date(now + duration("1d"), "Europe/Paris", "date")'],
    ['now()', 'now'],
    ['Date.now()', 'now'],
    ['hour', 'now.getHours("Europe/Paris")'],
  ])('%s has the expression that it stands for', (source, meant) => {
    expect(hintOf(source)).toBe(`did you mean ${meant}?`);
    expect(typeOf(meant)).not.toBe('');
  });

  test.each([
    ['item.streamer', 'item.owner.displayName'],
    ['item.streamer.url', 'owner'],
    ['item.link', 'url'],
    ['item.owner.name', 'displayName'],
    ['change.item.streamer', 'change.item.owner.displayName'],
  ])('%s is a field', (source, meant) => {
    expect(hintOf(source)).toBe(`did you mean ${meant}?`);
  });

  test('is read of all items where there is no single one', () => {
    const site = { kind: 'step', names: { watch: 'streaming.getStreams', per: 'poll', steps: {} } } as const;

    expect(refusalOf('streamer', site)).toContain('did you mean items.map(i, i.owner.displayName)?');
  });

  test.each(['random()', 'rand(5)', 'pick(item.tags)', 'item.tags.random()', 'shuffle(item.tags)', 'choice(item.tags)'])(
    '%s is advised to take a text of a list',
    (source) => {
      expect(hintOf(source)).toBe('write vars.lines[now.getMinutes() % vars.lines.size()], with the texts in vars.lines of the rule');
    },
  );

  test.each([
    ['item.vod', 'streaming.getUserVideos'],
    ['env.TOKEN', 'vars of the rule'],
    ['everyone', 'mention: [everyone]'],
    ['None', 'no value is null'],
    ['Math.random()', 'vars.lines'],
  ])('%s has advice', (source, advice) => {
    expect(hintOf(source)).toContain(advice);
  });
});

describe('an incomplete expression', () => {
  const SECOND = 'add : and the value for the other case: condition ? a : b, for example with "" as b';

  test.each([
    ["item.mature ? 'a'", SECOND],
    ["(item.mature ? 'a: b') + 'c'", SECOND],
    ["[item.mature ? 'a']", SECOND],
    ["item.mature ? item.tags[?0].hasValue() ? 'a' : 'b'", SECOND],
    ['item.mature ? "a" :', 'add the missing value: condition ? a : b'],
    ['item.mature ?', 'add the missing value: condition ? a : b'],
    ['item.mature &&', 'add a value behind &&'],
    ['compact(item.viewerCount', 'add the missing )'],
    ['"a ? (" + (item.title', 'add the missing )'],
    ['item.tags[?0', 'add the missing ]'],
  ])('names what is missing: %s', (source, hint) => {
    expect(hintOf(source)).toBe(hint);
  });
});
