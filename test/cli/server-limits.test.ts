import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPreviewer } from '#src/app/open-previewer.ts';
import { openRules } from '#src/app/open-rules.ts';
import { openStore } from '#src/store/store.ts';
import { describes } from '../adapters/mastodon/script-mastodon.ts';
import { scriptHttp, type Exchange } from '../support/script-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A rule that posts a text of this length. */
const rule = (length: number): string => `id: long
when: { cron: "0 9 * * *", timezone: UTC }
then: [{ do: social.createPost, with: { text: "${'x'.repeat(length)}" } }]
`;

/** An installation with an account on a server that answers exactly these requests. */
async function install(steps: readonly Exchange[], length: number) {
  const folder = temporaryFolder();
  const server = await scriptHttp(steps);
  mkdirSync(join(folder.path, 'rules'));
  mkdirSync(join(folder.path, 'data'));
  writeFileSync(join(folder.path, 'rules', 'long.yaml'), rule(length));
  const environment = {
    MASTODON_URL: server.url,
    MASTODON_TOKEN: 'tr0ub4dor',
    FANFARE_RULES: join(folder.path, 'rules'),
    FANFARE_DATA: join(folder.path, 'data'),
  };
  // The state of an installation that has run before.
  await (await openStore({ file: join(folder.path, 'data', 'fanfare.sqlite') }))[Symbol.asyncDispose]();
  return {
    environment,
    /** The limit that `preview` shows. */
    async previewed(): Promise<readonly (number | undefined)[]> {
      await using previewer = await openPreviewer({ environment, write: () => undefined });
      const { views } = await previewer.preview('long', 1);
      return views.flatMap(({ scenarios }) =>
        scenarios.flatMap(({ steps }) =>
          steps.flatMap(({ messages }) => messages.flatMap(({ lengths }) => lengths.map(({ most }) => most))),
        ),
      );
    },
    /** The messages of `check`. */
    async checked(more: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
      const { diagnostics } = await openRules({ ...environment, ...more }).load([]);
      return diagnostics.map(({ message }) => message);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const STATES_5000 = describes({ statuses: { max_characters: 5000 } });
const USUAL =
  'the text has 3000 characters, but mastodon accepts 500 (the usual limit: its server has not been asked yet): Fanfare shortens the text';

test('preview reads the limit of the server, and check uses it later without a request', async () => {
  await using installation = await install([STATES_5000], 3000);
  expect(await installation.checked()).toEqual([USUAL]);

  expect(await installation.previewed()).toEqual([5000]);

  expect(await installation.checked()).toEqual([]);
  expect(await installation.checked({ MASTODON_URL: 'https://another.example' })).toEqual([USUAL]);
});

test('the warning about a long text names the limit of the server', async () => {
  await using installation = await install([STATES_5000], 6000);

  await installation.previewed();

  expect(await installation.checked()).toEqual([
    'the text has 6000 characters, but mastodon accepts 5000 (the limit of its server): Fanfare shortens the text',
  ]);
});

test('the default limit applies if the server states none', async () => {
  const silent = { status: 404, json: { error: 'Not found' } };
  await using installation = await install(
    [
      ['GET /api/v2/instance', silent],
      ['GET /api/v1/instance', silent],
    ],
    3000,
  );

  expect(await installation.previewed()).toEqual([500]);

  expect(await installation.checked()).toEqual([USUAL]);
});
