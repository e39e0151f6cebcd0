import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScenarioKind } from '#src/engine/simulation/preview/scenario-kind.ts';
import { doneBy, promisedBy } from './outcomes.ts';
import { openPreviewStage, type PreviewStage } from './preview-stage.ts';
import { FIRST } from './random-stories.ts';
import { recordsBy } from './received.ts';
import { promisedMessages, standingMessages, type StandingMessage } from './standing-messages.ts';

const EVENTS: readonly ScenarioKind[] = ['goesLive', 'stays', 'ends'];
const LONG = 'One sentence more about the stream of this evening. '.repeat(60);
/** People of the simulated Mastodon. */
const PEOPLE = ['ada', 'grace', 'linus', 'margaret', 'dennis', 'barbara'];
const WARNING = 'Spoilers about the end of the game';

interface Sections {
  readonly then: readonly object[];
  readonly while?: readonly object[] | undefined;
  readonly finally?: readonly object[] | undefined;
}

describe('the preview of a message until its stream ends', () => {
  let stage: PreviewStage;
  let cases = 0;
  beforeAll(async () => {
    stage = await openPreviewStage();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  /** Runs a rule until its stream ends: what arrived after each event, beside what the preview promised. */
  async function run(sections: Sections) {
    stage.goLive('Speedrun');
    const when = { every: '1m', watch: 'streaming.getStreams', account: 'twitch', with: { users: ['ada'] }, first: 'fire' };
    const named = Object.entries(sections).map(([name, steps]: [string, readonly object[]]) => {
      return [name, steps.map((step, index) => ({ id: `${name}${index + 1}`, ...step }))];
    });
    const source = { id: `e${(cases += 1)}`, when: { ...when, grace: '0s', confirm: 1 }, ...Object.fromEntries(named) };
    const rule = stage.load(JSON.stringify(source));
    if (!rule) throw new Error('the rule is invalid');
    const view = await stage.preview(rule);
    const before = await recordsBy(stage.sandbox);
    await using running = await stage.start(rule);
    const done: { readonly steps: readonly string[]; readonly messages: readonly StandingMessage[] }[] = [];
    const failures: string[] = [];
    for (const kind of EVENTS) {
      if (kind === 'ends') stage.endStream();
      const outcomes = doneBy(await running.poll(), {});
      failures.push(...outcomes.failures.flat());
      done.push({ steps: outcomes.steps, messages: standingMessages(before, await recordsBy(stage.sandbox)) });
    }
    const promised = EVENTS.map((kind, index) => {
      return { steps: promisedBy(view, kind).steps, messages: promisedMessages(view, EVENTS.slice(0, index + 1)) };
    });
    return { done, promised, failures, view, last: done.at(-1)?.messages ?? [] };
  }

  const post = (warning: string | undefined) => ({
    id: FIRST,
    do: 'social.createPost',
    as: 'mastodon',
    with: { text: `https://example.com/\${{ rule.id }} ${LONG}`, warning },
    fit: 'truncate',
  });
  const editPost = (text: string, more: object = {}) => ({
    do: 'social.editPost',
    as: 'mastodon',
    with: { post: `\${{ steps.${FIRST}.id }}`, text, ...more },
  });

  test('the content warning of a post takes room from the text of its edits', async () => {
    const { done, promised, last, view } = await run({
      then: [post(WARNING), editPost(`Then ${LONG}`)],
      while: [editPost(`While ${LONG}`)],
      finally: [editPost(`Finally ${LONG}`)],
    });

    expect(done).toEqual(promised);
    expect(last).toMatchObject([{ warning: WARNING, text: expect.stringMatching(/^Finally .{400,}…$/u) }]);
    const [length] = view.scenarios.at(-1)?.steps[0]?.messages[0]?.lengths ?? [];
    expect(length).toEqual({ path: 'text', length: expect.toSatisfy((one: number) => one > 480 && one <= 500), most: 500 });
  });

  test('an edit of the first part of a thread has the whole room', async () => {
    const { done, promised, last } = await run({ then: [{ ...post(undefined), fit: 'thread' }], while: [editPost(`While ${LONG}`)] });

    expect(done).toEqual(promised);
    expect(last[0]?.text).toMatch(/^While .{470,}…$/u);
  });

  test('an edit that changes the warning changes the room of the next one', async () => {
    const { done, promised, last } = await run({
      then: [post(undefined)],
      while: [editPost(`While ${LONG}`, { warning: `${WARNING}, ${WARNING}` })],
      finally: [editPost(`Finally ${LONG}`)],
    });

    expect(done).toEqual(promised);
    expect(last).toMatchObject([{ warning: `${WARNING}, ${WARNING}`, text: expect.stringMatching(/^Finally .{380,}…$/u) }]);
  });

  test('an edit with fit: error fails beside the warning', async () => {
    const { done, promised, failures } = await run({ then: [post(WARNING)], while: [{ ...editPost('x'.repeat(490)), fit: 'error' }] });

    expect(done).toEqual(promised);
    expect(failures).toEqual(['social.editPost: the text has 490 characters, and the limit is 464 beside the content warning']);
  });

  test('the pings of a message take room from the text of its edits', async () => {
    const editMessage = (content: string) => ({
      do: 'discord.edit',
      with: { message: `\${{ steps.${FIRST}.id }}`, content: `${content} \${{ item.url }}` },
    });
    const { done, promised, last } = await run({
      then: [{ id: FIRST, do: 'discord.send', with: { channel: 'live', content: 'Ada is live', mention: ['Live', 'everyone'] } }],
      while: [editMessage('@everyone is in a text that is short'), editMessage(`While ${LONG}`)],
      finally: [editMessage(`Finally ${LONG}`)],
    });

    expect(done).toEqual(promised);
    expect(last).toMatchObject([{ text: expect.stringMatching(/^Finally .{1900,}/u) }]);
  });

  test('the mentions of a post for followers take room from its answers and their edits', async () => {
    const mentions = PEOPLE.map((one) => `@${one}`).join(' ');
    const first = {
      ...post(undefined),
      with: { text: `https://example.com/\${{ rule.id }} ${mentions} are live`, visibility: 'followers' },
    };
    const answer = {
      id: 'answer',
      do: 'social.createPost',
      as: 'mastodon',
      fit: 'truncate',
      with: { text: `Then ${LONG}`, replyTo: `\${{ steps.${FIRST}.id }}` },
    };
    const edit = { do: 'social.editPost', as: 'mastodon', with: { post: '${{ steps.answer.id }}', text: `While ${LONG}` } };

    const { done, promised, failures, last } = await run({ then: [first, answer], while: [edit] });

    expect(done).toEqual(promised);
    expect({ failures, steps: done.flatMap(({ steps }) => steps) }).toEqual({
      failures: [],
      steps: ['answer mastodon sent', 'first mastodon sent', 'while1 mastodon sent'],
    });
    expect(last[1]?.text).toMatch(new RegExp(`^${mentions} While .{300,}…$`, 'u'));
  });

  test('an edit keeps the readers of an answer whose post is deleted', async () => {
    const first = { ...post(undefined), with: { text: 'https://example.com/${{ rule.id }} with @ada', visibility: 'followers' } };
    const answer = { do: 'social.createPost', as: 'mastodon', with: { text: 'Hello', replyTo: `\${{ steps.${FIRST}.id }}` } };
    const { done, promised, last } = await run({
      then: [first, { id: 'answer', ...answer }],
      finally: [
        { do: 'social.deletePost', as: 'mastodon', with: { post: `\${{ steps.${FIRST}.id }}` } },
        editPost('It is over', { post: '${{ steps.answer.id }}' }),
      ],
    });

    expect(done).toEqual(promised);
    expect(last).toMatchObject([{ text: '@ada It is over', pings: ['@ada'] }]);
  });

  test('a step fails after the deletion of its message, and a second deletion does not', async () => {
    const message = `\${{ steps.${FIRST}.id }}`;
    const { done, promised, view } = await run({
      then: [{ id: FIRST, do: 'discord.send', with: { channel: 'live', content: 'Ada is live' } }],
      finally: [
        { do: 'discord.delete', with: { message } },
        { do: 'discord.edit', with: { message, content: 'It is over' } },
        { do: 'discord.edit', with: { message, content: 'See you tomorrow' } },
        { do: 'discord.send', with: { channel: 'live', content: 'Thanks', replyTo: message } },
        { do: 'discord.delete', with: { message } },
      ],
    });

    expect(done).toEqual(promised);
    expect(done.at(-1)?.steps).toEqual([
      'finally1 discord sent',
      'finally2 discord failed',
      'finally3 discord skipped',
      'finally4 discord sent',
      'finally5 discord sent',
    ]);
    expect(promisedBy(view, 'ends').failures.flat()).toContain('an earlier step deletes the message');
  });

  test('a reply to a deleted post and an edit of it fail', async () => {
    const { done, promised } = await run({
      then: [post(undefined)],
      finally: [
        { do: 'social.deletePost', as: 'mastodon', with: { post: `\${{ steps.${FIRST}.id }}` } },
        editPost('It is over'),
        { do: 'social.createPost', as: 'mastodon', with: { text: 'Thanks', replyTo: `\${{ steps.${FIRST}.id }}` } },
      ],
    });

    expect(done).toEqual(promised);
    expect(done.at(-1)?.steps).toEqual(['finally1 mastodon sent', 'finally2 mastodon failed', 'finally3 mastodon failed']);
  });

  test('an edit with only refused buttons removes all buttons', async () => {
    const button = (url: string) => [{ label: 'Watch', url }];
    const { done, promised, last, view } = await run({
      then: [{ id: FIRST, do: 'discord.send', with: { channel: 'live', content: 'Ada is live', buttons: button('${{ item.url }}') } }],
      finally: [
        { do: 'discord.edit', with: { message: `\${{ steps.${FIRST}.id }}`, buttons: button(`https://example.com/${'a'.repeat(600)}`) } },
      ],
    });

    expect(done).toEqual(promised);
    expect([done[0]?.messages, last]).toMatchObject([[{ buttons: ['Watch'] }], [{ buttons: [] }]]);
    expect(view.scenarios.at(-1)?.steps[0]?.remarks).toEqual([{ kind: 'removesButtons' }]);
  });

  const editMessage = (parts: object) => ({ do: 'discord.edit', with: { message: `\${{ steps.${FIRST}.id }}`, ...parts } });
  const sendMessage = (parts: object) => ({ id: FIRST, do: 'discord.send', with: { channel: 'live', ...parts } });
  const layoutOf = (text: string) => ({
    layout: { color: 1, blocks: [{ text }, { buttons: [{ label: 'Watch', url: '${{ item.url }}' }] }] },
  });
  const remarksOf = ({ view }: Awaited<ReturnType<typeof run>>): readonly unknown[] => {
    return view.scenarios.flatMap(({ steps }) => steps.flatMap(({ remarks }) => remarks.filter(({ kind }) => kind !== 'cut')));
  };

  test('an edit of a part of a card cuts the parts that it keeps', async () => {
    const fields = [1, 2].map((number) => ({ name: `Field ${number}`, value: 'a'.repeat(900) }));
    const outcome = await run({
      then: [sendMessage({ embed: { title: 'Ada', description: 'b'.repeat(3800), fields } })],
      while: [editMessage({ embed: { footer: 'c'.repeat(1000) } })],
      finally: [editMessage({ embed: { title: 'Ada was live' } })],
    });

    expect(outcome.done).toEqual(outcome.promised);
    expect(outcome.last).toMatchObject([{ cards: [{ title: 'Ada was live', fields: fields.slice(0, 1) }] }]);
    expect(remarksOf(outcome)).toEqual([{ kind: 'cutCards', length: 3 + 3800 + 2 * 907 + 1000, most: 6000 }]);
  });

  test('an edit of the buttons keeps the layout and its files', async () => {
    const { done, promised, last } = await run({
      then: [sendMessage({ ...layoutOf('Ada is live'), files: [{ path: stage.files.picture }], mention: ['Live'] })],
      while: [editMessage({ buttons: [{ label: 'Ping me', role: 'Live' }] })],
      finally: [editMessage(layoutOf('Ada was live'))],
    });

    expect(done).toEqual(promised);
    expect(done[1]?.messages).toMatchObject([{ cards: [{ description: 'Ada is live', color: 1 }], buttons: ['Ping me'], files: 1 }]);
    expect(last).toMatchObject([{ cards: [{ description: 'Ada was live' }], buttons: ['Watch'], files: 1 }]);
  });

  test('an edit changes a text to a layout, and fails for the opposite', async () => {
    const { done, promised, last, failures } = await run({
      then: [sendMessage({ content: 'Ada is live', embed: { title: 'Ada' }, mention: ['Live'], files: [{ path: stage.files.picture }] })],
      while: [editMessage(layoutOf('Ada is live'))],
      finally: [editMessage({ content: 'Ada was live' })],
    });

    expect(done).toEqual(promised);
    expect(last).toMatchObject([{ text: '', cards: [{ description: 'Ada is live' }], buttons: ['Watch'], files: 1 }]);
    expect(failures).toEqual([expect.stringContaining('the message has a layout')]);
  });
});
