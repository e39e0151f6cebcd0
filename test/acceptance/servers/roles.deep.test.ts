import { expect, test } from 'vitest';
import { BERLIN, FIRST, openServers, contentsIn } from './fixture.ts';

/** The id of the role Moderator in the first server. */
const MODERATOR = '1202584131993600003';

test('a role id gives permissions in its server only, and a role name in each server', async () => {
  await using fixture = await openServers({ more: `discord: { roles: { operate: ['${MODERATOR}'], post: [Moderator] } }` });
  const { firstModerator, berlinModerator } = fixture.who;
  const refused = async (guild: string, user: string, command: string): Promise<boolean> =>
    contentsIn(await fixture.command(guild, user, command)).includes('You do not have permission to do this here.');

  const may = {
    operate: [await refused(FIRST, firstModerator, 'status'), await refused(BERLIN, berlinModerator, 'status')],
    post: [await refused(FIRST, firstModerator, 'post queue'), await refused(BERLIN, berlinModerator, 'post queue')],
  };

  expect(may).toEqual({ operate: [false, true], post: [false, false] });
});
