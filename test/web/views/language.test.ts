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
