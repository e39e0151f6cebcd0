import { expect, test } from 'vitest';
import { sandbox } from '#adapters/sandbox/index.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { install, type Installation } from './installation.ts';

const RULE = `
id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - { do: social.createPost, with: { text: "\${{ item.title }}" } }
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }
`;

/** Deletes the posts and messages of the installation on the platforms. */
async function deleteAll(fanfare: Installation): Promise<void> {
  const { SANDBOX_URL: url = '', SANDBOX_TOKEN: token = '' } = fanfare.sandbox.environment;
  const { clock } = fanfare;
  const account = new SocialAsync({ platform: sandbox({ url, token, clock }), clock });
  for (const { id } of await fanfare.posts()) {
    await account.deletePost(id);
    await expect(account.postDetail(id)).rejects.toMatchObject({ fault: 'missing' });
  }
  for (const { id } of await fanfare.messages('live')) await fanfare.control('/discord/removals', { message: id });
}

test('a post that a person deletes is not sent again, neither by later polls nor after a restart', async () => {
  await using fanfare = await install({ rules: [RULE] });
  fanfare.order({ do: 'end', user: 'ada' });
  await fanfare.pass(120, 60);
  fanfare.order({ do: 'goLive', user: 'ada', title: 'Ranked' });
  await fanfare.pass(60, 60);
  expect(await fanfare.posts()).toHaveLength(1);

  await fanfare.during(deleteAll(fanfare));
  await fanfare.pass(180, 60);
  await fanfare.stop();
  await fanfare.start();
  await fanfare.pass(180, 60);

  // The sandbox lists deleted posts too.
  expect(await fanfare.posts()).toHaveLength(1);
  expect(await fanfare.messages('live')).toHaveLength(1);
});
