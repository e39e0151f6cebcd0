import { expect, test } from 'vitest';
import { openStage } from './fixture.ts';

test('live-card: one card, edited while the stream lasts, closed when the stream ends', async () => {
  await using stage = await openStage({ rules: ['live-card'] });
  for (const user of ['ada', 'grace', 'linus', 'margaret']) stage.order({ do: 'end', user });
  await stage.pass(1);

  stage.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Ranked until I win', viewers: 900 });
  await stage.pass(2);
  const [open] = await stage.messages('live');
  stage.order({ do: 'end', user: 'ada' });
  await stage.pass(2);
  const [closed, ...more] = await stage.messages('live');

  const picture = { url: expect.stringContaining('/pictures/') };
  expect(open).toMatchObject({
    content: '🔴 **Ada** is live!',
    embeds: [
      {
        author: { name: 'Ada', icon_url: picture.url },
        title: 'Ranked until I win',
        description: expect.stringMatching(/^started <t:\d+:R>$/),
        fields: [
          { name: 'Game', value: 'Chess' },
          { name: 'Viewers', value: expect.stringMatching(/^[\d.]+K?$/) },
        ],
        thumbnail: picture,
        image: { ...picture, description: 'Ada streams Chess: Ranked until I win' },
      },
    ],
    components: [{ components: [{ label: 'Watch', url: expect.stringContaining('ada') }] }],
  });
  expect(closed).toMatchObject({
    id: open?.id,
    content: '**Ada** was live.',
    embeds: [
      {
        fields: [{ name: 'Length' }, { name: 'Peak' }, { name: 'Games', value: 'Chess' }],
        image: { url: expect.stringContaining('offline') },
      },
    ],
  });
  expect(closed?.components).toMatchObject([{ components: [{ label: 'Watch the recording' }] }]);
  expect(more).toEqual([]);
  expect(await stage.errors()).toEqual([]);
});

test('valorant-top: within two minutes, the rule posts about a new streamer and announces the post with a link', async () => {
  await using stage = await openStage({ rules: ['valorant-top'] });

  await stage.pass(2);

  const [post] = await stage.posts();
  const [message] = await stage.messages('stream-news');
  expect(post?.text).toMatch(/^.+ is now #[1-5] in VALORANT with [\d.]+K viewers https?:/);
  expect(message?.content).toMatch(/^New in the top five: \*\*.+\*\* is #[1-5] in VALORANT$/);
  expect(message?.components).toMatchObject([
    { components: [{ label: 'Watch' }, { label: 'Post', url: expect.stringMatching(new RegExp(`${post?.id}$`)) }] },
  ]);
  expect(await stage.errors()).toEqual([]);
});

test('valorant-top: half an hour of the sandbox exceeds the default fuse and uses less than half of the fuse of the rule', async () => {
  await using stage = await openStage({ rules: ['valorant-top'] });

  await stage.pass(30);

  const [{ fuse }] = stage.rules;
  const { items: refused } = await stage.store.decisions.list({ rule: 'valorant-top', outcome: 'suppressed', limit: 50 });
  expect(refused.filter(({ message }) => /fuse|paused/.test(message))).toEqual([]);
  const { length: posts } = await stage.posts();
  expect(posts).toBeGreaterThan(30);
  expect(posts).toBeLessThan(fuse.firings / 2);
});

test('live-card: no hour of the sandbox blows its fuse, and every hour would blow the default fuse', async () => {
  await using stage = await openStage({ rules: ['live-card'] });
  const [{ fuse, watched }] = stage.rules;

  const hours = Array.from({ length: 24 }, (_, hour) => Date.parse('2026-11-20T00:00:00Z') + hour * fuse.perMs);
  const starts = hours.map((fromMs) => {
    const events = stage.sandbox.world.eventsBetween(fromMs, fromMs + fuse.perMs);
    return events.filter(({ kind, person }) => kind === 'wentLive' && JSON.stringify(watched?.with['users']).includes(person.handle))
      .length;
  });

  expect(Math.max(...starts)).toBeLessThan(fuse.firings);
  expect(Math.min(...starts)).toBeGreaterThan(30);
});

test('my-game: a streamer of the game is announced by day', async () => {
  await using stage = await openStage({ rules: ['my-game'] });
  await stage.pass(3);

  stage.order({ do: 'goLive', user: 'linus', game: 'Hollow Orchard', title: 'First night in the orchard', viewers: 80 });
  await stage.pass(3);

  expect((await stage.messages('stream-news')).map(({ content }) => content)).toContainEqual(
    expect.stringMatching(/^🎮 \*\*Linus\*\* plays Hollow Orchard for \d+ people\. Drop by and say hello: http/),
  );
  expect(await stage.errors()).toEqual([]);
});

test('my-game: streamers of the night are announced in one list in the morning', async () => {
  await using stage = await openStage({ rules: ['my-game'], at: '2026-11-20T06:50:00Z' });
  await stage.pass(3);

  stage.order({ do: 'goLive', user: 'linus', game: 'Hollow Orchard', title: 'First night in the orchard', viewers: 80 });
  await stage.pass(5);
  const atNight = await stage.messages('stream-news');
  await stage.pass(2.5);

  const [digest, ...more] = await stage.messages('stream-news');
  expect(atNight).toEqual([]);
  expect(digest?.content).toMatch(/^🌅 While you slept, .+ played Hollow Orchard:\n/);
  expect(digest?.content).toContain('🔴 **Linus** · First night in the orchard');
  expect(more).toEqual([]);
  expect(await stage.errors()).toEqual([]);
});

test('best-clips: on Sunday evening, the five best clips of the week are sent to Discord and posted as a thread', async () => {
  await using stage = await openStage({ rules: ['best-clips'], at: '2026-11-22T16:59:00Z' });

  await stage.pass(2);

  const [message, ...more] = await stage.messages('announcements');
  const [post] = await stage.posts();
  expect(message?.content).toMatch(/^🎬 \*\*The clips of the week\*\*\n1\. \[.+\]\(<http.+>\) by \*\*.+\*\* · .+ views\n2\. /);
  expect(message?.content.split('\n')).toHaveLength(6);
  expect(more).toEqual([]);
  expect(post?.text).toMatch(/^The clips of the week 🎬\n\n1\. .+ by .+ http/);
  expect(await stage.errors()).toEqual([]);
});

test('morning-digest: the episodes of live-card are announced at nine', async () => {
  await using stage = await openStage({ rules: ['live-card', 'morning-digest'], at: '2026-11-20T07:54:00Z' });
  for (const user of ['grace', 'linus', 'margaret', 'ada']) stage.order({ do: 'end', user });
  await stage.pass(1);
  stage.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Ranked until I win', viewers: 900 });
  await stage.pass(2);
  stage.order({ do: 'end', user: 'ada' });

  await stage.pass(4);

  const [digest, ...more] = await stage.messages('general');
  expect(digest?.embeds).toMatchObject([
    { title: '☀️ Good morning! The last 24 hours', description: expect.stringMatching(/^\*\*Ada\*\* · Chess · .+, peak \d+$/m) },
  ]);
  expect(digest?.embeds[0]?.footer?.text).toMatch(/^\d streams?, .+ on air$/);
  expect(more).toEqual([]);
  expect(await stage.errors()).toEqual([]);
});

test('new-number-one: a streamer who leads for three minutes is announced once', async () => {
  await using stage = await openStage({ rules: ['new-number-one'] });
  await stage.pass(2);

  stage.order({ do: 'goLive', user: 'barbara', game: 'Chess', title: 'Blitz', viewers: 50_000 });
  await stage.pass(2);
  const early = await stage.messages('stream-news');
  await stage.pass(8);

  const [message, ...more] = await stage.messages('stream-news');
  expect(early).toEqual([]);
  expect(message?.content).toMatch(/^👑 \*\*Barbara\*\* now leads Chess with [\d.]+K viewers: http/);
  expect(more).toEqual([]);
  expect(await stage.errors()).toEqual([]);
});

test('viewer-milestone: a threshold that is passed for two minutes is announced with its value', async () => {
  await using stage = await openStage({ rules: ['viewer-milestone'] });
  for (const user of ['grace', 'linus', 'margaret', 'ada']) stage.order({ do: 'end', user });
  stage.order({ do: 'goLive', user: 'ada', game: 'Chess', viewers: 400 });
  await stage.pass(3);
  stage.order({ do: 'setViewers', user: 'ada', viewers: 6000 });

  await stage.pass(5);

  const [message, ...more] = await stage.messages('general');
  expect(message?.content).toMatch(/^🎉 \*\*Ada\*\* has just passed 5,000 viewers! .+ http/);
  expect(more).toEqual([]);
  expect(await stage.errors()).toEqual([]);
});

test('vod-thread: after the end of the stream, a summary and the recording follow the post about the stream', async () => {
  await using stage = await openStage({ rules: ['vod-thread'] });
  for (const user of ['ada', 'grace']) stage.order({ do: 'end', user });
  await stage.pass(2);
  stage.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Ranked until I win', viewers: 900 });
  await stage.pass(4);
  stage.order({ do: 'end', user: 'ada' });

  await stage.pass(33);

  const [post, reply, ...more] = await stage.posts();
  expect(post?.text).toMatch(/^🔴 Ada is live with Chess: Ranked until I win http/);
  expect(reply).toMatchObject({ replyTo: post?.id });
  expect(reply?.text).toMatch(/^That was \d.*, with \d+ of you at the peak\. Thank you for watching!\nMissed it\? http\S+$/);
  expect(more).toEqual([]);
  expect(await stage.errors()).toEqual([]);
});

test('new-videos: a new recording is announced in the channel of its streamer', async () => {
  await using stage = await openStage({ rules: ['new-videos'] });
  for (const user of ['ada', 'grace']) stage.order({ do: 'end', user });
  await stage.pass(1);

  stage.order({ do: 'goLive', user: 'grace', game: 'Hollow Orchard', viewers: 300 });
  await stage.pass(3);
  stage.order({ do: 'end', user: 'grace' });
  await stage.pass(20);

  const [video, ...more] = await stage.messages('stream-news');
  expect(video).toMatchObject({ content: '📺 A new video by **Grace**', embeds: [{ footer: { text: '3m' } }] });
  expect(video?.embeds[0]?.title).not.toBe('');
  expect(more).toEqual([]);
  expect((await stage.messages('general')).filter(({ content }) => !content.endsWith('by **Ada**'))).toEqual([]);
  expect(await stage.errors()).toEqual([]);
});

test('game-night: on Friday at five, the call is sent with a reaction and published', async () => {
  await using stage = await openStage({ rules: ['game-night'], at: '2026-11-20T15:59:00Z' });

  await stage.pass(2);

  const [message, ...more] = await stage.messages('announcements');
  expect(message).toMatchObject({ content: expect.stringContaining('tonight at eight!'), published: true, reactions: [{ emoji: '🎮' }] });
  expect(message?.pinged).toEqual({ everyone: false, roles: [], users: [] });
  expect(more).toEqual([]);
  expect(await stage.posts()).toHaveLength(1);
  expect(await stage.errors()).toEqual([]);
});

test('launch-day: the countdown, and the launch an hour later', async () => {
  await using stage = await openStage({ rules: ['launch-day'], at: '2030-03-01T15:59:00Z' });

  await stage.pass(2);
  const early = await stage.messages('announcements');
  await stage.pass(60);

  const [soon, out, ...more] = await stage.messages('announcements');
  expect(early.map(({ content }) => content)).toEqual(['⏳ **Hollow Orchard** launches in one hour!']);
  expect(out).toMatchObject({ content: expect.stringMatching(/^🚀 \*\*Hollow Orchard\*\* is out/), replyTo: soon?.id });
  expect(more).toEqual([]);
  expect(await stage.posts()).toHaveLength(1);
  expect(await stage.errors()).toEqual([]);
});

test('live-role: a streamer has the role while the stream lasts', async () => {
  await using stage = await openStage({ rules: ['live-role'] });
  for (const user of ['ada', 'grace']) stage.order({ do: 'end', user });
  await stage.pass(1);
  const before = await stage.membersWith('Live');

  stage.order({ do: 'goLive', user: 'ada', game: 'Chess' });
  await stage.pass(2);
  const during = await stage.membersWith('Live');
  stage.order({ do: 'end', user: 'ada' });
  await stage.pass(8);

  expect([before, during, await stage.membersWith('Live')]).toEqual([[], ['ada'], []]);
  expect(await stage.errors()).toEqual([]);
});

test('top-board: one message that is edited every five minutes', async () => {
  await using stage = await openStage({ rules: ['top-board'] });

  await stage.pass(11);

  const [board, ...more] = await stage.messages('stream-news');
  expect(board?.embeds).toMatchObject([
    { title: 'Chess: who to watch right now', description: expect.stringMatching(/^1\. \[.+\]\(http.+\) · [\d.]+K? · .+/) },
  ]);
  expect(board?.embeds[0]?.footer?.text).toMatch(/^as of \d+:\d\d [AP]M$/);
  expect(board?.history.length).toBeGreaterThan(0);
  expect(more).toEqual([]);
  expect(await stage.errors()).toEqual([]);
});
