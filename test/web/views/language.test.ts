import { readdirSync } from 'node:fs';
import { LanguageContext } from '#src/web/views/language.ts';
import { now, TimeSince } from '#src/web/views/parts/time.ts';
import { h } from '#src/web/views/preact.mjs';
import { renderToString } from '#src/web/view-pages/render-to-string.mjs';
import { NOW } from '../../support/view-records.ts';
import { expect, test } from 'vitest';
import { openSite } from '../open-site.ts';

test.for([
  [{}, 'en'],
  [{ 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' }, 'de'],
  [{ 'accept-language': 'fr, en;q=0.2, de;q=0.7' }, 'de'],
  [{ 'accept-language': 'de;q=0, fr' }, 'en'],
  [{ 'accept-language': 'en', cookie: 'language=de' }, 'de'],
  [{ 'accept-language': 'de', cookie: 'language=en' }, 'en'],
  [{ 'accept-language': 'de', cookie: 'language=<script>' }, 'de'],
  [{ 'accept-language': '=;,,q=q' }, 'en'],
] as const)('the headers %j give the page the language %s', async ([headers, language]) => {
  const { routes } = await openSite();

  const page = await (await routes.request('/deliveries', { headers })).text();

  expect(page).toContain(`<html lang="${language}">`);
  expect(/<h1>(.*?)<\/h1>/u.exec(page)?.[1]).toBe(language === 'de' ? 'Zustellungen' : 'Deliveries');
});

test.for([
  ['en', '5 min ago'],
  ['de', 'vor 5 Min.'],
] as const)('a time since has the units of the language: %s', ([language, expected]) => {
  const at = new Date(NOW.getTime() - 5 * 60_000).toISOString();
  now.value = NOW.getTime();
  const rendered = renderToString(h(LanguageContext.Provider, { value: language }, h(TimeSince, { at })));
  now.value = undefined;

  expect(rendered).toContain(`>${expected}</time>`);
});

test('no text has backticks, because the page does not render Markdown', async () => {
  const modules: readonly unknown[] = await Promise.all(
    readdirSync('src/web/views/texts').map((file) => import(`../../../src/web/views/texts/${file}`)),
  );

  expect(textsIn(modules).filter((text) => text.includes('`'))).toEqual([]);
});

/** The texts in a value, without those that functions make. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
