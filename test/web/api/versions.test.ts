import { expect, test } from 'vitest';
import { openApi } from './open-api.ts';

test('rules of a folder have no versions', async () => {
  const { get, post } = await openApi();

  for (const [path, body] of [
    ['/api/versions', { after: 0, files: [] }],
    ['/api/versions/1/roll-back', {}],
    ['/api/rules/games/delete', {}],
  ] as const)
    expect(await post(path, { body })).toMatchObject({ status: 409, json: { code: 'noVersions' } });
  expect(await get('/api/versions')).toMatchObject({ status: 200, json: { items: [] } });
});
