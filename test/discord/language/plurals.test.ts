import { expect, test } from 'vitest';
import type { ServerSettings } from '#src/admin/servers/server-store.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import type { ServerState } from '#src/discord/servers/server-state.ts';
import { setupPage } from '#src/discord/servers/setup-page.ts';

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

test.each([
  ['en', 1, '@everyone is pinged with each new card: 1 member.', '**1 member**', 'Yes, ping 1 member'],
  ['en', 1200, '@everyone is pinged with each new card: 1,200 members.', '**1,200 members**', 'Yes, ping 1,200 members'],
  ['en', undefined, '@everyone is pinged with each new card: all members.', '**all members**', 'Yes, ping all members'],
  ['de', 1, '@everyone wird bei jeder neuen Karte benachrichtigt: 1 Mitglied.', '**1 Mitglied**', 'Ja, 1 Mitglied benachrichtigen'],
  ['de', undefined, 'benachrichtigt: alle Mitglieder.', '**alle Mitglieder**', 'Ja, alle Mitglieder benachrichtigen'],
] as const)('the members in /setup agree with their number in the language %s: %s', async (locale, members, ...shown) => {
  const settings: ServerSettings = { id: '7', name: 'Chess Club', roles: {}, ping: 'everyone', joinedAt: new Date(0) };
  const state: ServerState = {
    id: '7',
    name: 'Chess Club',
    owner: '1',
    members,
    roles: [],
    highest: 1,
    permissions: ~0n,
    isWithoutMessages: async () => false,
    inChannel: async () => ~0n,
  };

  const page = JSON.stringify(
    await setupPage(settings, state, { texts: textsFor(locale), locale }, { defaultZone: 'UTC', asksEveryone: true }),
  );

  for (const text of shown) expect(page).toContain(text);
});

test.each([
  ['en', ['1 read, 1 of them matches this rule.', '3 read, 2 of them match this rule.'], ['1 character', '2 characters']],
  ['de', ['1 gelesen, 1 davon passt zu dieser Regel.', '3 gelesen, 2 davon passen zu dieser Regel.'], ['1 Zeichen', '2 Zeichen']],
] as const)('the figures of previews agree with their nouns in the language %s', (language, read, long) => {
  const { controls, posting } = textsFor(language);

  expect([controls.previewing.read('1', '1', 1), controls.previewing.read('3', '2', 2)]).toEqual(read);
  expect([posting.preview.long(1), posting.preview.long(2)]).toEqual(long);
});
