import { openai } from '#adapters/openai/index.ts';
import { assistantServer } from '#sandbox/assistant/server.ts';
import { startSandbox } from '#sandbox/server.ts';
import { memoryTranscripts } from '#src/clients/assistant/memory-transcripts.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial } from '../../adapters/sandbox/open-social.ts';
import { MP4, PNG } from '../../support/media-files.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { accountsOf, ALL, signIn } from '../../support/sandbox-people.ts';
import { controlApi } from '../../support/control-api.ts';

/** More than a page. */
const MANY = 23;

/** Longer waits are limits, which never pass. */
const LIMIT_MS = 60_000;

/** Returns the social sandbox with activity, so that most lists have several pages. */
export async function openWorld() {
  await using opening = new AsyncDisposableStack();
  const fixture = opening.use(await openSocial());
  const nowMs = fixture.clock.nowMs();
  const pausesMs: number[] = [];
  const atOnce = {
    nowMs: () => fixture.clock.nowMs(),
    async sleep(ms: number, signal?: AbortSignal): Promise<void> {
      if (ms >= LIMIT_MS) return fixture.clock.sleep(ms, signal);
      pausesMs.push(ms);
    },
  };
  const { environment } = opening.use(await startSandbox({ clock: { ...atOnce, nowMs: () => nowMs }, platforms: [assistantServer] }));
  const social = new SocialAsync({
    platform: fixture.platform,
    assistant: openai({
      url: environment['ASSISTANT_URL'] ?? '',
      apiKey: environment['ASSISTANT_API_KEY'] ?? '',
      model: environment['ASSISTANT_MODEL'] ?? '',
      clock: fixture.clock,
    }),
    keep: { transcripts: memoryTranscripts() },
    clock: atOnce,
  });
  const people = accountsOf(fixture);
  const open = people.others.filter(({ id }) => !people.isProtected(id));
  const star = open.reduce((best, one) => (one.followerCount > best.followerCount ? one : best));
  const ada = await signIn(fixture, 'ada');
  const grace = await signIn(fixture, 'grace');

  const order = (path: string, body: object) => controlApi(fixture.sandbox.url)<{ readonly id?: string }>(`/social/${path}`, body);

  await social.followUser('ada');
  await social.enableUserNotification('ada');
  await fixture.clock.advance(1_000);
  const files = [{ base64: PNG.toString('base64') }];
  const post = await social.createPost('Who plays #chess tonight?');
  const hidden = await grace.createPost('A reply', { replyTo: post });
  const list = await social.createList('Runners');
  const readable = (await social.search('the', { filter: 'Latest', pages: 2, waitTime: 0 })).items.flatMap((one) =>
    'text' in one ? [one.id] : [],
  );
  const mine: string[] = [];
  const lists: string[] = [];
  for (const [index, { id }] of open.slice(300, 300 + MANY).entries()) {
    const person = await signIn(fixture, id);
    await person.likePost(post);
    await person.repostPost(post);
    await person.createPost('Look', { quote: post });
    await person.createPost('Me', { replyTo: post });
    await person.sendMessage('fanfare', 'Hello');
    await ada.createPost(`Screen ${index} for @fanfare #glitch`, { files });
    await ada.createPost('More #glitch', { replyTo: post });
    await social.createPost('Found', { community: 'summit-climbers' });
    await social.bookmarkPost(readable[index] ?? '');
    await social.addListMember(list, id);
    mine.push((await social.createPost('Mine')).id);
    lists.push((await social.createList(`List ${index}`)).id);
    await social.blockUser(open[400 + index]?.id ?? '');
  }
  await social.addListMember(list, 'ada');
  for (const { id } of (await social.getUserFollowers(star.id, ALL)).items.slice(0, MANY))
    await social.followUser(id).catch(() => undefined);
  const message = await ada.sendMessage('fanfare', 'Line 1');
  const second = await ada.sendMessage('fanfare', 'Line 2');
  const conversation = await social.createAssistantConversation();
  await social.getAssistantResponse('Do you like chess?', { conversation });
  await order('hide', { post: hidden.id });
  const { id: group } = await order('groups', { title: 'Runners', members: ['fanfare', 'ada', 'grace'] });
  const groupMessage = await ada.sendMessage(group ?? '', 'Saturday at nine', { inGroup: true });
  const video = await whileSleeping(fixture.clock, new SocialAsync(fixture).uploadMedia({ base64: MP4.toString('base64') }));
  const sendAt = new Date(fixture.clock.nowMs() + 3_600_000);
  const scheduled = [await social.createScheduledPost('Later', sendAt), await social.createScheduledPost('Too', sendAt)];
  const all = opening.move();
  return {
    social,
    post,
    hidden,
    list,
    message,
    second,
    scheduled,
    star: star.handle,
    foreign: readable[0] ?? '',
    pausesMs,
    mine,
    lists,
    groupMessage,
    conversation,
    group: group ?? '',
    video,
    strangers: open.slice(500, 600).map(({ handle }) => handle),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
