import { describe, expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import type { InteractionView } from '../../support/discord-sandbox.ts';
import { expectSettled } from '../../support/settled.ts';
import { openPosting, type PostingFixture } from './fixture.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

async function texts(fixture: PostingFixture): Promise<readonly string[]> {
  return (await fixture.posts()).map(({ text }) => text);
}

/** The instants that a message shows, once each. */
function timesIn(view: InteractionView): readonly number[] {
  const found = (view.message?.content ?? '').matchAll(/<t:(\d+):[fF]>/g);
  return [...new Set([...found].map(([, seconds]) => Number(seconds) * 1000))];
}

function customId(view: InteractionView, part: string): string {
  return new RegExp(`post:${part}[:\\w-]*`).exec(JSON.stringify(view.message?.components))?.[0] ?? '';
}

/** The evening of a day on which nothing else waits. */
function inAWeek(): string {
  return `${new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 10)} 18:00`;
}

/** Has a post wait. */
async function plan(
  fixture: PostingFixture,
  way: 'schedule' | 'queue',
  options: Readonly<Record<string, string>>,
): Promise<InteractionView> {
  const shown = await fixture.command(`post ${way}`, options);
  const click = await fixture.click(shown, way === 'queue' ? 'Queue' : 'Schedule');
  await expect.poll(async () => (await fixture.reload(click)).message?.content).toContain('**Waiting.**');
  return fixture.reload(click);
}

describe('/post schedule', () => {
  test('shows the time in the zone of the reader, and sends the post once, even after a restart', async () => {
    await using fixture = await openPosting();

    const shown = await fixture.command('post schedule', { time: 'in 2h', text: 'In two hours' });
    const [at = 0] = timesIn(shown);
    expect(Math.abs(at - Date.now() - 2 * HOUR_MS)).toBeLessThan(60_000);
    await fixture.click(shown, 'Schedule');
    fixture.later(HOUR_MS);
    await fixture.restart();
    expect(await texts(fixture)).toEqual([]);
    fixture.later(HOUR_MS + 1_000);

    await expectSettled(() => texts(fixture), ['In two hours'], fixture.settled);
    const list = await fixture.command('post queue');
    expect(list.message?.content).toMatch(/^No waiting posts\.\n+\*\*Last posts\*\*[^]*> In two hours\n✅ \*\*sandbox\*\*: <http/);
  });

  test('parses times in the zone of the server, and names it wherever a member types or chooses a time', async () => {
    await using fixture = await openPosting({ zone: 'America/New_York' });
    const zoneText = 'Typed times are in the time zone `America/New_York`.';

    const shown = await fixture.command('post schedule', { time: 'morgen 9:00', text: 'Good morning' });

    const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', timeStyle: 'short' });
    expect(timesIn(shown).map((at) => format.format(at))).toEqual(['09:00']);
    expect(shown.message?.content).toContain(zoneText);
    for (const time of ['2020-01-01 12:00', 'next monday 9:00', '2999-01-01 12:00'])
      expect((await fixture.command('post schedule', { time, text: 'x' })).message?.content).toContain(zoneText);
    const waits = await fixture.click(shown, 'Schedule');
    expect(JSON.stringify((await fixture.click(waits, 'Another time')).modal)).toContain('Time zone: America/New_York');
    // A menu cannot show times in the zone of the reader.
    const list = await fixture.command('post queue');
    expect(JSON.stringify(list.message?.components)).toMatch(/ 9:00 AM E[DS]T · sandbox · Good morning"/);
  });

  test.each([
    ['2020-01-01 12:00', /I read this as <t:1577876400:F> \(<t:1577876400:R>\), which has passed/],
    ['tomorrow', /The time of day is missing/],
    ['next monday 9:00', /This can mean <t:\d+:F> \(<t:\d+:R>\) or <t:\d+:F>/],
    ['at some time', /I do not understand this time/],
  ])('rejects %s with its interpretation, and stores no draft', async (time, answered) => {
    await using fixture = await openPosting();

    const view = await fixture.command('post schedule', { time, text: 'x' });

    expect(view).toMatchObject({ ephemeral: true, message: { content: expect.stringMatching(answered) } });
    expect(await fixture.store.postDrafts.all()).toEqual([]);
  });

  test('a post whose time passed before the button was clicked is not sent', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post schedule', { time: 'in 10m', text: 'too late' });

    fixture.later(HOUR_MS);
    const click = await fixture.click(shown, 'Schedule');

    await expect
      .poll(async () => (await fixture.reload(click)).followUps)
      .toMatchObject([{ content: expect.stringContaining('This time has passed') }]);
    expect(await texts(fixture)).toEqual([]);
  });

  test('a post that is much too late is not sent, and the list has the reason', async () => {
    await using fixture = await openPosting();
    await plan(fixture, 'schedule', { time: 'in 1h', text: 'We begin in ten minutes' });

    fixture.later(5 * HOUR_MS);

    await expect
      .poll(async () => (await fixture.command('post queue')).message?.content)
      .toMatch(/❌ \*\*sandbox\*\*: The post could not be sent in time/);
    expect(await texts(fixture)).toEqual([]);
  });
});

describe('the failure of a scheduled post', () => {
  test('is reported to its author in the channel of the command', async () => {
    await using fixture = await openPosting();
    await plan(fixture, 'schedule', { time: 'in 1h', text: 'Hello @everyone ${{ x }}', accounts: 'sandbox, club' });
    await fixture.fail({ kind: 'status', status: 422, times: 1 });

    fixture.later(HOUR_MS + 1_000);

    await expect
      .poll(async () => (await fixture.discord.messages('general')).filter(({ ephemeral }) => !ephemeral))
      .toMatchObject([
        {
          content: expect.stringMatching(
            /^<@\d+> “Hello \\@everyone .*” was not sent as planned; `\/post queue` has the reasons\. It is missing or incomplete on (sandbox|club)$/,
          ),
          pinged: { everyone: false, roles: [], users: [fixture.owner] },
        },
      ]);
    expect(await texts(fixture)).toEqual(['Hello @everyone ${{ x }}']);
    expect((await fixture.command('post queue')).message?.content).toMatch(/❌ \*\*(sandbox|club)\*\*: The platform rejected the post/);
  });

  test('is reported in the language of the server, which may be another one than that of its author', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post schedule', { time: 'in 1h', text: 'Hello' }, { locale: 'de' });
    await fixture.click(shown, 'Planen', { locale: 'de' });
    await fixture.fail({ kind: 'status', status: 422 });

    fixture.later(HOUR_MS + 1_000);

    await expect
      .poll(async () => (await fixture.discord.messages('general')).filter(({ ephemeral }) => !ephemeral))
      .toMatchObject([{ content: expect.stringContaining('was not sent as planned') }]);
  });

  test('is reported with the content warning instead of the text behind it', async () => {
    await using fixture = await openPosting();
    await plan(fixture, 'schedule', { time: 'in 1h', text: 'The killer is Ada', warning: 'Spoilers' });
    await fixture.fail({ kind: 'status', status: 422 });

    fixture.later(HOUR_MS + 1_000);

    await expect
      .poll(async () => (await fixture.discord.messages('general')).filter(({ ephemeral }) => !ephemeral))
      .toMatchObject([{ content: expect.stringMatching(/^<@\d+> “Spoilers” was not sent as planned/) }]);
  });

  test('is not reported for a sent or cancelled post', async () => {
    await using fixture = await openPosting();
    await plan(fixture, 'schedule', { time: 'in 1h', text: 'fine' });
    const back = await plan(fixture, 'schedule', { time: 'in 1h', text: 'taken back' });
    await fixture.click(back, 'Cancel');

    fixture.later(HOUR_MS + 1_000);
    await expectSettled(() => texts(fixture), ['fine'], fixture.settled);

    await expect
      .poll(async () => (await fixture.store.deliveryLog.list({ account: 'discord' })).items.map(({ state }) => state))
      .toEqual(['skipped', 'skipped']);
    expect((await fixture.discord.messages('general')).filter(({ ephemeral }) => !ephemeral)).toEqual([]);
  });
});

describe('/post queue', () => {
  test('schedules each post at the next free time, and sends it then', async () => {
    await using fixture = await openPosting({ queueTimes: ['09:00', '18:00'] });

    const views = await Promise.all(['first', 'second', 'third'].map((text) => plan(fixture, 'queue', { text })));

    const times = views.map((view) => timesIn(view)[0] ?? 0).toSorted((a, b) => a - b);
    expect(new Set(times).size).toBe(3);
    const inBerlin = times.map((at) => new Date(at).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' }));
    expect(new Set(inBerlin.map((local) => local.slice(-8)))).toEqual(new Set(['09:00:00', '18:00:00']));
    const [first = '', , third = ''] = inBerlin;
    // A day in Berlin, which has 23 or 25 hours when the clocks change.
    expect(Date.parse(`${third}Z`) - Date.parse(`${first}Z`)).toBe(DAY_MS);
    fixture.later((times[0] ?? 0) - Date.now() + 1_000);
    await expectSettled(async () => (await texts(fixture)).length, 1, fixture.settled);
  });

  test('the time of a cancelled post is used again', async () => {
    await using fixture = await openPosting();
    const first = await plan(fixture, 'queue', { text: 'first' });
    await plan(fixture, 'queue', { text: 'second' });

    await fixture.click(first, 'Cancel');
    const third = await plan(fixture, 'queue', { text: 'third' });

    expect(timesIn(third)).toEqual(timesIn(first));
  });

  test('without options, it lists the waiting posts in pages that work after a restart', async () => {
    await using fixture = await openPosting();
    for (let post = 1; post <= 7; post++)
      await plan(fixture, 'schedule', { time: `in ${post}h`, text: `post ${post}`, accounts: 'sandbox, club' });

    const list = await fixture.command('post queue');
    expect(list).toMatchObject({ ephemeral: true, message: { content: expect.stringContaining('**7 waiting posts** (1/2)') } });
    expect(list.message?.content).toMatch(/<t:\d+:f> \(<t:\d+:R>\) · sandbox, club · by <@\d+>\n> post 1\n/);
    await fixture.restart();
    const next = await fixture.click(list, 'Later');

    expect(next.message?.content).toContain('(2/2)');
    expect(next.message?.content).toContain('> post 7');
    expect(next.message?.content).not.toContain('> post 5');
  });

  test('a waiting post can be sent now or rescheduled', async () => {
    await using fixture = await openPosting();
    await plan(fixture, 'queue', { text: 'first' });
    await plan(fixture, 'schedule', { time: 'in 30 days', text: 'last' });
    const list = await fixture.command('post queue');
    const [first, last] = await fixture.store.posts.waiting(fixture.discord.guildId);

    const one = await fixture.choose(list, 'post:pick', [last?.post.id ?? '']);
    const form = await fixture.click(one, 'Another time');
    const moved = await fixture.write(form, { time: 'in 20 days' });
    expect(moved.message?.content).toContain('**Waiting.**');
    expect(Math.abs((timesIn(moved)[0] ?? 0) - Date.now() - 20 * DAY_MS)).toBeLessThan(2 * HOUR_MS);
    const back = await fixture.click(moved, 'Back');
    const other = await fixture.choose(back, 'post:pick', [first?.post.id ?? '']);
    await fixture.click(other, 'Send now');

    await expectSettled(() => texts(fixture), ['first'], fixture.settled);
    for (const action of ['now', 'move', 'pick']) {
      const id = first?.post.id ?? '';
      const customId = action === 'pick' ? 'post:pick' : `post:${action}:${id}`;
      const late = await fixture.discord.interact({
        user: fixture.owner,
        message: list.message?.id,
        customId,
        ...(action === 'pick' && { values: [id] }),
        forged: true,
      });
      expect(late.message?.content).toContain('It is too late');
    }
  });
});

describe('two moderators with the same waiting post', () => {
  test('the later one does not undo the time that the earlier one chose', async () => {
    await using fixture = await openPosting();
    await plan(fixture, 'schedule', { time: 'in 30 days', text: 'ours' });
    const [waiting] = await fixture.store.posts.waiting(fixture.discord.guildId);
    const pick = async () => fixture.choose(await fixture.command('post queue'), 'post:pick', [waiting?.post.id ?? '']);
    const [mine, theirs] = [await pick(), await pick()];
    const [form, theirForm] = [await fixture.click(mine, 'Another time'), await fixture.click(theirs, 'Another time')];

    await fixture.write(theirForm, { time: 'in 20 days' });
    const [moved] = await fixture.store.posts.waiting(fixture.discord.guildId);
    const refused = [await fixture.write(form, { time: 'in 10 days' }), await fixture.click(mine, 'Send now')];

    const [now, ...others] = await fixture.store.posts.waiting(fixture.discord.guildId);
    expect([now?.post.at, others]).toEqual([moved?.post.at, []]);
    for (const { message } of refused) expect(message?.content).toContain('Someone has moved this post');
  });
});

describe('/post cancel', () => {
  test('cancels a suggested post, which is never sent', async () => {
    await using fixture = await openPosting();
    await plan(fixture, 'schedule', { time: 'in 1h', text: 'oh no' });
    await plan(fixture, 'schedule', { time: 'in 2h', text: 'fine' });

    const { choices = [] } = await fixture.command('post cancel', { post: 'OH' }, { autocomplete: true });
    expect(choices).toMatchObject([{ name: expect.stringMatching(/ · oh no$/) }]);
    const [{ value }] = choices as [{ value: string }];
    const taken = await fixture.command('post cancel', { post: value });
    fixture.later(2 * HOUR_MS + 60_000);

    expect(taken).toMatchObject({ ephemeral: true, message: { content: expect.stringContaining('**Cancelled**') } });
    await expectSettled(() => texts(fixture), ['fine'], fixture.settled);
  });

  test('offers equal posts at the same time with their accounts', async () => {
    await using fixture = await openPosting();
    const same = { time: inAWeek(), text: 'Merry Christmas' };
    for (const accounts of ['sandbox', 'club']) await plan(fixture, 'schedule', { ...same, accounts });

    const { choices = [] } = await fixture.command('post cancel', { post: 'merry' }, { autocomplete: true });
    const [menu] = (await fixture.command('post queue')).message?.components.slice(0, 1) ?? [];

    for (const account of ['sandbox', 'club']) {
      const label = ` · ${account} · Merry Christmas`;
      expect(choices).toContainEqual({ name: expect.stringContaining(label), value: expect.any(String) });
      expect(JSON.stringify(menu)).toContain(label);
    }
  });

  test('offers each of several identical posts', async () => {
    await using fixture = await openPosting();
    for (let time = 0; time < 2; time++) await plan(fixture, 'schedule', { time: inAWeek(), text: 'x'.repeat(200) });

    const { choices = [] } = await fixture.command('post cancel', { post: '' }, { autocomplete: true });
    const offered = choices as { name: string; value: string }[]; // as Discord documents it

    const waiting = await fixture.store.posts.waiting(fixture.discord.guildId);
    expect(offered.map(({ value }) => value).toSorted()).toEqual(waiting.map(({ post }) => post.id).toSorted());
    for (const { name } of offered) expect(name.length).toBeLessThanOrEqual(100);
  });

  test('cancels a due post that waits for its platform', async () => {
    await using fixture = await openPosting();
    await fixture.fail({ kind: 'status', status: 503 });
    const shown = await fixture.command('post now', { text: 'never mind' });
    const sending = await fixture.click(shown, 'Send');
    const isTried = async () =>
      (await fixture.store.deliveryLog.list()).items.some(({ state, attempts }) => state === 'pending' && attempts > 0);
    await expect.poll(isTried).toBe(true);

    const { choices = [] } = await fixture.command('post cancel', { post: 'never' }, { autocomplete: true });
    const [{ value }] = choices as [{ value: string }];
    await expect.poll(async () => JSON.stringify((await fixture.reload(sending)).message?.components)).toContain(`post:back:${value}`);
    const taken = await fixture.command('post cancel', { post: value });
    await fixture.heal();
    fixture.later(HOUR_MS);
    await fixture.restart();

    expect(taken.message?.content).toContain('**Cancelled**');
    expect(await texts(fixture)).toEqual([]);
  });

  test('the button cancels a post at the account that still waits for it, and the message shows it', async () => {
    await using fixture = await openPosting();
    await fixture.fail({ kind: 'status', status: 503, times: 1 });
    const shown = await fixture.command('post now', { text: 'half', accounts: 'sandbox, club' });
    const sending = await fixture.click(shown, 'Send');
    await expect.poll(() => texts(fixture)).toEqual(['half']);
    await fixture.fail({ kind: 'status', status: 503 });
    await expect.poll(async () => JSON.stringify((await fixture.reload(sending)).message?.components)).toContain('post:back:');

    const view = await fixture.click(await fixture.reload(sending), 'Cancel');

    await expect.poll(async () => (await fixture.reload(view)).message?.content).toContain(en.posting.result.partly);
    expect(JSON.stringify((await fixture.reload(view)).message?.components)).not.toContain('post:back:');
    const [post] = await fixture.store.posts.recent(fixture.discord.guildId, 1);
    const again = await fixture.command('post cancel', { post: post?.post.id ?? '' });
    expect(again.message?.content).toContain(`${en.posting.errors.partly}\n${en.posting.result.partly}`);
    expect(await texts(fixture)).toEqual(['half']);
  });

  test('refuses sent and unknown posts', async () => {
    await using fixture = await openPosting();
    const shown = await fixture.command('post now', { text: 'out' });
    const click = await fixture.click(shown, 'Send');
    await expect.poll(async () => (await fixture.reload(click)).message?.content).toContain('**Sent.**');
    const [post] = await fixture.store.posts.recent(fixture.discord.guildId, 1);

    expect((await fixture.command('post cancel', { post: post?.post.id ?? '' })).message?.content).toContain('too late');
    expect((await fixture.command('post cancel', { post: 'something' })).message?.content).toContain('no such post');
  });

  test('a button of a cancelled post says who cancelled it', async () => {
    await using fixture = await openPosting();
    const waits = await plan(fixture, 'schedule', { time: 'in 1h', text: 'x' });
    const list = await fixture.command('post queue');
    const pick = await fixture.choose(list, 'post:pick', [customId(waits, 'back').split(':')[2] ?? '']);

    const form = await fixture.click(pick, 'Another time');
    await fixture.click(waits, 'Cancel');
    const late = [await fixture.click(pick, 'Send now'), await fixture.write(form, { time: 'in 3h' })];

    for (const { message } of late) expect(message).toMatchObject({ ephemeral: true, content: en.posting.result.cancelled(fixture.owner) });
  });

  test('a scheduled post shows its time, and no retries', async () => {
    await using fixture = await openPosting();

    const waits = await plan(fixture, 'schedule', { time: 'in 1h', text: 'x' });

    expect(waits.message?.content).not.toContain(en.posting.result.later);
  });
});
