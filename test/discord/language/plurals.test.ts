import { expect, test } from 'vitest';
import { textsFor } from '#src/discord/language/languages.ts';

test.each([
  [
    'en',
    1,
    [
      'more than 1 announcement in 1h',
      'at most 1 announcement in 1h',
      'gathers up to 1 item for one announcement',
      'pauses automatically after more than 1 announcement in 1h',
      'usually 1s, at most 2s (the last delivery)',
    ],
  ],
  [
    'en',
    2,
    [
      'more than 2 announcements in 1h',
      'at most 2 announcements in 1h',
      'gathers up to 2 items for one announcement',
      'pauses automatically after more than 2 announcements in 1h',
      'usually 1s, at most 2s (the last 2 deliveries)',
    ],
  ],
  [
    'de',
    1,
    [
      'mehr als 1 Meldung in 1h',
      'höchstens 1 Meldung in 1h',
      'sammelt bis zu 1 Eintrag für eine Meldung',
      'hält nach mehr als 1 Meldung in 1h automatisch an',
      'meist 1s, höchstens 2s (die letzte Zustellung)',
    ],
  ],
  [
    'de',
    2,
    [
      'mehr als 2 Meldungen in 1h',
      'höchstens 2 Meldungen in 1h',
      'sammelt bis zu 2 Einträge für eine Meldung',
      'hält nach mehr als 2 Meldungen in 1h automatisch an',
      'meist 1s, höchstens 2s (die letzten 2 Zustellungen)',
    ],
  ],
] as const)('nouns agree with their number in the language %s: %i', (language, count, shown) => {
  const { rule, card, health } = textsFor(language).controls;

  expect([
    rule.limit(count, '1h'),
    card.limit(count, '1h'),
    card.gather(count),
    card.fuse(count, '1h'),
    health.lags('1s', '2s', count),
  ]).toEqual(shown);
});
