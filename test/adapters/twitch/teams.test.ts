import { expect, test } from 'vitest';
import { rows, scriptTwitch, userRow } from './script-twitch.ts';

const team = (...ids: readonly string[]) => ({
  id: '6358',
  team_name: 'nightshift',
  users: ids.map((id) => ({ user_id: id, user_name: 'X', user_login: 'x' })),
});

test('the members of a team in its order, without closed channels', async () => {
  await using twitch = await scriptTwitch([
    ['GET /helix/teams?name=nightshift', rows([team('7', '42', '9')])],
    ['GET /helix/users?id=7&id=42&id=9', rows([userRow('42', 'ada'), userRow('7', 'grace')])],
  ]);

  const members = await twitch.bot.getTeamMembers('Nightshift', { pages: 'all' });

  expect(members.items.map(({ id, handle }) => [id, handle])).toEqual([
    ['7', 'grace'],
    ['42', 'ada'],
  ]);
  expect(members).toMatchObject({ approximate: false, partialErrors: [] });
});

test('a team without members needs no second request', async () => {
  await using twitch = await scriptTwitch([['GET /helix/teams?name=nightshift', rows([team()])]]);

  expect((await twitch.bot.getTeamMembers('nightshift')).items).toEqual([]);
});

test.for([
  ['an empty answer', rows([])],
  ['status 404', { status: 404, json: { error: 'Not Found', status: 404, message: 'The specified team was not found' } }],
] as const)('an unknown team, by %s, is missing, with advice', async ([, answer]) => {
  await using twitch = await scriptTwitch([['GET /helix/teams?name=nobody', answer]]);

  await expect(twitch.bot.getTeamMembers('nobody')).rejects.toMatchObject({
    fault: 'missing',
    message: expect.stringContaining('twitch.tv/team/<name>'),
  });
});

test('a member that cannot be read is a partial error', async () => {
  await using twitch = await scriptTwitch([
    ['GET /helix/teams?name=nightshift', rows([team('42', '7')])],
    ['GET /helix/users?id=42&id=7', rows([userRow('42', 'ada'), { id: '7' }])],
  ]);

  expect((await twitch.bot.getTeamMembers('nightshift')).partialErrors).toMatchObject([{ values: ['7'] }]);
});
