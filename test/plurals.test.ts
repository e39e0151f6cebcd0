import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { POLLING } from '#src/admin/language/polling.ts';
import { textsFor } from '#src/discord/language/languages.ts';

/** Texts whose count is never one: their callers have several, or a limit. */
const NEVER_ONE: readonly string[] = [
  'discord.en.alerts.undelivered',
  'discord.en.assistant.draft.thread',
  'discord.en.controls.rule.weeks',
  'discord.en.controls.delivering.attempts',
  'discord.en.controls.delivering.edited',
  'discord.en.controls.delivering.failedEdits',
  'discord.en.following.full',
  'discord.en.following.tooMany',
  'discord.en.posting.preview.of',
  'discord.en.posting.preview.shortened',
  'discord.en.posting.preview.tooLong',
  'discord.en.controls.previewing.length',
  'discord.en.controls.previewing.lengthOf',
  'discord.de.alerts.undelivered',
  'discord.de.assistant.draft.thread',
  'discord.de.controls.rule.weeks',
  'discord.de.controls.delivering.attempts',
  'discord.de.controls.delivering.failedEdits',
  'page.deliveries.DELIVERIES_TEXTS.en.attempts',
  'page.deliveries.DELIVERIES_TEXTS.de.attempts',
  'page.sandbox.SANDBOX_TEXTS.en.raidTitle',
  'page.sandbox.SANDBOX_TEXTS.en.timesN',
  'page.trial.TRIAL_TEXTS.en.length',
  'page.why.WHY_TEXTS.en.times',
];

const PLURALS = `
  accounts announcements attempts changes channels characters clips conversations dates deliveries edits entries episodes
  errors events files firings followers items links members messages minutes names people permissions points polls posts
  requests rules servers steps streamers streams tests times videos viewers views votes weeks Abfragen Änderungen Anfragen
  Ankündigungen Berechtigungen Dateien Einträge Kanäle Meldungen Nachrichten Posts Punkte Regeln Stimmen Versuche Wochen
  Zustellungen
`;

/** A count of one before a noun in the plural. */
const WRONG = new RegExp(
  `(?<![\\w.,])1\\*{0,2} (?:(?:followed|more|other|recorded|waiting|watched|anderen?|weiteren?) )?(?:${PLURALS.trim().split(/\s+/u).join('|')})(?!\\p{L})`,
  'u',
);

/** The texts of a table with one of everything, by path. Counts are numbers in some functions and text in others. */
function* textsWithOne(value: unknown, path: string): Generator<readonly [path: string, texts: readonly string[]]> {
  if (typeof value === 'function') {
    const made = [1, '1'].map((one) => resultOf(() => value(...Array.from({ length: value.length }, () => one))));
    const texts = made.filter((text) => typeof text === 'string');
    if (texts.length > 0) yield [path, texts];
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inside] of Object.entries(value)) yield* textsWithOne(inside, `${path}.${name}`);
  }
}

/** Undefined for functions of other values than counts and names. */
function resultOf(make: () => unknown): unknown {
  try {
    return make();
  } catch {
    return undefined;
  }
}

test('no text has one before a noun in the plural', async () => {
  const page = readdirSync('src/web/views/texts').map((file) => file.replace('.ts', ''));
  const tables = {
    discord: { en: textsFor('en'), de: textsFor('de') },
    polling: POLLING,
    page: Object.fromEntries(
      await Promise.all(page.map(async (name) => [name, await import(`../src/web/views/texts/${name}.ts`)] as const)),
    ),
  };

  const texts = Object.entries(tables).flatMap(([name, table]) => [...textsWithOne(table, name)]);
  const wrong = texts.filter(([, both]) => both.every((text) => WRONG.test(text)));

  expect(texts.length).toBeGreaterThan(400);
  expect(wrong.map(([path]) => path).toSorted()).toEqual(NEVER_ONE.toSorted());
});
