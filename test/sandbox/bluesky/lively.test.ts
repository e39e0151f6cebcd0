import { lexicons } from '@atproto/api';
import { expect, test } from 'vitest';
import { openJournal } from '#src/sandbox/journal-sqlite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { at, openBluesky } from './open-bluesky.ts';

test('where people react by themselves, their likes, reposts and answers are as real as those through the API', async () => {
  await using ground = await openBluesky({ lively: true });
  const agent = await ground.signIn();
  const posts = [];
  for (const text of ['What do you play?', 'Who is live?', 'Which game next?', 'Any plans?']) {
    posts.push(await agent.post({ text, createdAt: at(ground.clock) }));
  }
  ground.clock.set(ground.clock.nowMs() + 90 * 60_000);

  const { notifications } = (await agent.listNotifications({ limit: 100 })).data;
  const about = notifications.filter(({ reason }) => reason !== 'follow');
  const [first] = (await agent.getPosts({ uris: posts.map(({ uri }) => uri) })).data.posts.filter(({ likeCount = 0 }) => likeCount > 0);

  expect(about.length).toBeGreaterThan(0);
  for (const { record } of about) lexicons.assertValidRecord(String(record['$type']), record);
  expect((await agent.getLikes({ uri: first?.uri ?? '' })).data.likes).toHaveLength(first?.likeCount ?? 0);
  const mention = about.find(({ reason }) => reason === 'mention');
  expect((await agent.getPosts({ uris: [mention?.uri ?? ''] })).data.posts[0]?.record).toEqual(mention?.record);
});

test('a kill between the repository and the feeds leaves neither a lost post nor one that nobody wrote', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  const posted = async () => {
    await using ground = await openBluesky({ file });
    const agent = await ground.signIn();
    const { uri } = await agent.post({ text: 'once', createdAt: at(ground.clock) });
    return uri;
  };
  const uri = await posted();

  drop(file, 'bluesky/social.posts');
  {
    await using ground = await openBluesky({ file });
    expect((await (await ground.signIn()).getPosts({ uris: [uri] })).data.posts).toHaveLength(1);
    expect(await ground.standing()).toEqual(['once']);
  }
  drop(file, 'bluesky/commits');
  await using ground = await openBluesky({ file });

  expect((await (await ground.signIn()).getPosts({ uris: [uri] })).data.posts).toEqual([]);
  expect(await ground.standing()).toEqual([]);
});

/** What a kill kept from being written. */
function drop(file: string, collection: string): void {
  const journal = openJournal({ file });
  for (const document of journal.all(collection)) journal.drop(collection, idOf(document));
  journal.close();
}

function idOf(document: unknown): string {
  const { id, did, rev } = document as { readonly id?: string; readonly did?: string; readonly rev?: string }; // a post or a commit
  return id ?? `${did} ${rev}`;
}
