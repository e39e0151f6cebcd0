import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeApi } from '#src/web/api/description.ts';
import { eventually, getJson, launch } from '../../support/fanfare-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { differencesFrom, operationOf } from './answer-checks.ts';

const List = z.object({ items: z.array(z.unknown()) });

test('the answers of a running Fanfare match the description', async () => {
  using folder = temporaryFolder();
  await using fanfare = await launch({ environment: { FANFARE_RULES: 'rules', FANFARE_DATA: `${folder.path}/data` } });
  for (const name of ['rules', 'live', 'decisions', 'deliveries', 'posts', 'messages']) {
    await eventually(`items of ${name}`, async () => List.parse(await getJson(`${fanfare.url}/api/${name}`)).items.length > 0);
  }

  const paths = Object.entries(describeApi().paths).filter(([path, { get }]) => get && path !== '/api/events' && !path.includes('{'));
  const differences = await Promise.all(
    paths.map(async ([path]) => {
      const { statusCode: status, headers, body } = await request(`${fanfare.url}${path}`);
      const answer = { status, type: String(headers['content-type']), body: await body.text() };
      return differencesFrom(operationOf('get', path), answer).map((difference) => `${path} ${difference}`);
    }),
  );

  expect(differences.flat()).toEqual([]);
});
