import { expect, test } from 'vitest';
import { VIEW_PATHS } from '#src/web/views/paths.ts';
import { FULL_ADDRESSES, fillViews, fullOperations } from '../../support/full-views.ts';
import { shownOf } from '../../support/page-text.ts';
import { textsOf } from '../../support/page-texts.ts';
import { englishIn } from '../../support/reasons.ts';
import { openSandboxSite } from '../open-sandbox-site.ts';
import { openSite } from '../open-site.ts';

/** Names and texts of people and platforms in the data. */
const DATA = [
  ['Ada', 'Ada L', 'ada', 'Bob', 'Eve', 'Grace', 'bob', 'ci', 'ci2', 'grace', 'local', 'zzz'],
  ['Ada is live', 'Ada ist live', 'Chess', 'Meldet Streams von Schach.', 'Posten?', 'Ja', 'Nein', 'Turmendspiele', '4f2c9ad'],
  ['main', 'news', 'sandbox', 'twitch', 'x', 'discord', 'feeds', 'kick', 'mastodon', 'Fanfare 0.1.0', 'v24.21.0', process.version],
  ['alan', 'clips', 'followed', 'loud', 'off', 'old', 'partners', 'post', 'reader', 'Schachverein', 'team', 'top', 'watcher'],
  ['VALORANT', '@fanfare', 'F', 'stream-news', 'Spiel', 'bild.png', 'Faden'],
  ['Lin', 'lin', 'twitch.tv/Lin', 'twitch.tv/ada', 'kick.com/lin', 'twitch/7', '/messages', 'twitch:', 'kick:'],
]
  .flat()
  .flatMap((text) => [text, `(${text})`]);

/** Words that are the same in both languages, and codes of the API and of rules. */
const WORDS = [
  'Fanfare',
  'Demo',
  'Sandbox',
  'Text',
  'Name',
  'CSV',
  'JSON',
  'YAML',
  'Episode',
  'Id',
  'Feed',
  'Node',
  'Discord',
  'Version',
  'Raid',
  'Thread:',
];
const CODES = ['Streams', 'Tokens', 'live', 'offline', 'read', 'write', 'read: liest'];

const SAME: ReadonlySet<string> = new Set([
  ...DATA,
  ...WORDS,
  ...CODES,
  'Ada (sandbox)',
  'top (x)',
  'top · Fanfare',
  'top: social.createPost → x · Fanfare',
  'Sandbox · Fanfare',
  'Demo · Fanfare',
]);

async function openFull() {
  const { sandbox, sandboxOrigin } = await openSandboxSite();
  sandbox.world.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Turmendspiele', viewers: 12_000 }, sandbox.clock.nowMs());
  sandbox.faults.add({ platform: 'discord', kind: 'resetAfter', route: '/messages', times: 1 });
  const { routes, apiQueries } = await openSite({ sandboxOrigin, operations: fullOperations() });
  fillViews(apiQueries);
  return routes;
}

test('every view has an address with full data', () => {
  expect(Object.keys(FULL_ADDRESSES).toSorted()).toEqual(Object.values<string>(VIEW_PATHS).toSorted());
});

test.for([...Object.values(FULL_ADDRESSES).flat(), '/demo'])('%s has no English text for German readers', async (address) => {
  const routes = await openFull();
  const pages = ['en', 'de'].map(async (language) => {
    const answer = await routes.request(address, { headers: { 'accept-language': language } });
    expect(answer.status).toBe(200);
    return answer.text();
  });
  const [english = '', german = ''] = await Promise.all(pages);

  const inEnglish = new Set(textsOf(english));
  // The streamers, the titles and the games of the sandbox are many.
  const world = address.startsWith('/sandbox') ? JSON.stringify(shownOf(german)) : '';
  const texts = textsOf(german).filter((text) => !SAME.has(text) && !world.includes(JSON.stringify(text)));
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.filter((text) => inEnglish.has(text))).toEqual([]);
  expect(texts.filter((text) => englishIn(text) !== undefined)).toEqual([]);
});
