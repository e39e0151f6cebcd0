import { expect, test } from 'vitest';
import { readAddress } from '#adapters/bluesky/addresses.ts';
import { refusalOf } from '#adapters/bluesky/errors.ts';
import { keepPictures } from '#adapters/discord/attachments.ts';
import { feed } from '#adapters/feed/index.ts';
import { MediaRow } from '#adapters/mastodon/wire/media.ts';
import { StatusRow } from '#adapters/mastodon/wire/status.ts';
import { faultOfProblem, meaningOf, meaningOfProblem } from '#adapters/x/errors.ts';
import { faultOf } from '#adapters/youtube/errors.ts';
import { kindQuestion } from '#src/cli/new-questions.ts';
import { servePages } from '../support/pages.ts';
import { postRow, scriptX, userRow } from './x/script-x.ts';

/** Texts that each plain object has as a key. */
const NAMES = Object.getOwnPropertyNames(Object.prototype);

test.for(NAMES)('%s as the text of a platform is an unknown value', async (name) => {
  const media = MediaRow.parse({ id: '1', type: name, url: 'https://m.example/1.png' });
  const quoting = StatusRow.parse({
    id: '1',
    account: { id: '1', username: 'ada', acct: 'ada' },
    created_at: '2026-01-01T00:00:00Z',
    quote: { state: name, quoted_status: { id: '2', content: 'x' } },
  });
  const problem = { type: `https://api.x.com/2/problems/${name}` };
  const picture = { bytes: new Uint8Array(), name: 'a', contentType: name };
  const cards = [{ image: 'https://m.example/1', pictures: 'keep' }] as const;
  const kept = await keepPictures(cards, { fetchFile: () => Promise.resolve(picture), without: () => undefined });

  expect({
    media: media.kind,
    quote: quoting.quote?.state,
    problem: meaningOfProblem(problem),
    fault: faultOfProblem(problem),
    refusal: meaningOf({ status: 403, headers: {}, text: JSON.stringify({ ...problem, detail: 'no' }) })?.fault,
    youtube: faultOf({ status: 403, headers: {}, text: JSON.stringify({ error: { errors: [{ reason: name }] } }) }),
    bluesky: refusalOf({ status: 400, headers: {}, text: JSON.stringify({ error: name }) })?.fault,
    address: readAddress(`https://bsky.app/profile/ada.example/${name}/1`),
    files: kept.files,
    question: kindQuestion.read(name),
  }).toEqual({
    media: 'image',
    quote: 'unavailable',
    problem: undefined,
    fault: 'rejected',
    refusal: 'forbidden',
    youtube: undefined,
    bluesky: 'rejected',
    address: { actor: 'ada.example' },
    files: [],
    question: { error: expect.any(String) },
  });
});

test.for(NAMES)('%s as the text of X is an unknown value', async (name) => {
  const row = postRow('1', { lang: name, reply_settings: name, attachments: { media_keys: ['3_1'] } });
  const includes = { media: [{ media_key: '3_1', type: name }] };
  await using x = await scriptX([
    ['GET /2/tweets/1', { json: { data: row, includes } }],
    ['GET /2/users/by/username/ada', { json: { data: userRow('ada', { verified: false, verified_type: name }) } }],
    ['GET /2/communities/7', { json: { data: { id: '7', name: 'Speedruns', join_policy: name } } }],
  ]);

  expect(await x.social.postDetail('1')).toMatchObject({ language: name, replyAudience: 'everyone', media: [{ kind: 'image' }] });
  expect(await x.social.getUserInfo('ada')).toMatchObject({ verified: 'none' });
  expect(await x.social.getCommunity('7')).toMatchObject({ joinPolicy: undefined });
});

test.for(NAMES)('%s as the compression of a feed is unknown', async (name) => {
  await using server = await servePages({ '/feed': (_, answer) => void answer.writeHead(200, { 'content-encoding': name }).end('<rss>') });
  const read = feed({ privateOrigins: [server.url] }).operations.getItems;

  await expect(read?.({ url: `${server.url}/feed` }, {})).rejects.toMatchObject({ fault: 'unavailable' });
});
