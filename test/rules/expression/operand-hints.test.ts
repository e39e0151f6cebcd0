import { describe, expect, test } from 'vitest';
import { refusalOf } from './fixture.ts';

describe('a comparison of two types', () => {
  test.each([
    ['item.owner.id == 12345', 'item.owner.id == "12345"'],
    ['item.title != item.viewerCount', 'string(item.viewerCount)'],
    ['item.startedAt > "18:00"', 'item.startedAt.getHours("Europe/Paris") >= 18'],
    ['item.startedAt < "9:30"', 'item.startedAt.getHours("Europe/Paris") < 9'],
    ['item.startedAt > "2026-12-24 18:00"', 'timestamp("2026-12-24T18:00:00Z")'],
    ['item.startedAt > "24.12.2026"', 'timestamp("2030-12-24T18:00:00Z")'],
    ['item.game.name == ["Chess", "Go"]', 'item.game.name in ["Chess", "Go"]'],
    ['item.game.name != ["Chess", "Go"]', '!(item.game.name in ["Chess", "Go"])'],
    ['item.tags == "Speedrun"', '"Speedrun" in item.tags'],
    ['item.mature == "true"', 'true without quotes'],
    ['episode.lengthMs > 1h', 'episode.lengthMs > 3600000'],
    ['episode.lengthMs > duration("90m")', 'episode.lengthMs > 5400000'],
    ['now - item.startedAt > 1h', 'now - item.startedAt > duration("1h")'],
  ])('%s has a remedy that is right', (source, meant) => {
    const [, remedy] = /\(write (.*)\)$/u.exec(refusalOf(source)) ?? [];

    expect(meant).toContain(remedy);
  });

  test.each([
    'item.owner.id == "12345"',
    'item.title != string(item.viewerCount)',
    'item.startedAt.getHours("Europe/Paris") >= 18',
    'item.startedAt > timestamp("2026-12-24T18:00:00Z")',
    'item.game.name in ["Chess", "Go"]',
    '!(item.game.name in ["Chess", "Go"])',
    '"Speedrun" in item.tags',
    'item.mature == true',
    'episode.lengthMs > 3600000',
    'now - item.startedAt > duration("1h")',
  ])('%s is right', (source) => {
    expect(refusalOf(source)).toBe('it is not refused');
  });
});
