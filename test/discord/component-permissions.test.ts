import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerButtonId, FREE_TEXT, parseAnswerButtonId } from '#src/clients/chat/answer-ids.ts';
import { systemClock } from '#src/clock.ts';
import { interactionsEndpoint } from '#src/discord/http/endpoint.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { silentLog } from '#src/log.ts';
import { startWeb } from '#src/web/web.ts';
import type { InteractionView } from '../support/discord-sandbox.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { noOperations } from '../support/operations.ts';
import { type AppFixture, openApp } from './app-fixture.ts';
import { type ConnectionFixture, openBotConnection } from './connection-fixture.ts';

/** The texts that only the user sees. */
function privateTexts({ message, ephemeral, followUps }: InteractionView): readonly string[] {
  const answers = [...(message && ephemeral ? [message.content] : []), ...followUps.map(({ content }) => content)];
  return answers.filter((text) => text !== '');
}

interface QuestionBot extends AsyncDisposable {
  readonly fixture: ConnectionFixture;
  readonly answers: readonly string[];
  /** Names of an administrator, a member with the permission `operate`, a member with the role Live, and a member without a role. */
  readonly people: Readonly<Record<Person, string>>;
}

type Person = 'administrator' | 'operator' | 'role' | 'withoutRole';
const PEOPLE: readonly Person[] = ['administrator', 'operator', 'role', 'withoutRole'];

/** The roles of the questions, by key. `old` is a question of an earlier version. */
const ROLES: Readonly<Record<string, readonly string[] | undefined>> = {
  old: undefined,
  byName: ['Live'],
  byMention: ['@Live'],
  byId: ['1202584131993600005'],
  several: ['Nobody', 'Live'],
  everyone: ['@everyone'],
  unknown: ['Nobody'],
};
const MAY: Readonly<Record<string, readonly Person[]>> = {
  old: ['administrator', 'operator'],
  byName: ['administrator', 'role'],
  byMention: ['administrator', 'role'],
  byId: ['administrator', 'role'],
  several: ['administrator', 'role'],
  everyone: PEOPLE,
  unknown: ['administrator'],
};

async function openQuestionBot(kind: 'gateway' | 'http'): Promise<QuestionBot> {
  await using stack = new AsyncDisposableStack();
  const answers: string[] = [];
  const fixture = stack.use(
    await openBotConnection({
      settings: { gateway: kind === 'gateway' },
      questions: {
        read: parseAnswerButtonId,
        find: async (key) => (Object.hasOwn(ROLES, key) ? { roles: ROLES[key] } : undefined),
        onAnswer: async (key, { by, choice }) => {
          answers.push(`${key} ${by.name}`);
          return { needed: 1, answers: [{ choice, person: by.id ?? '' }] };
        },
      },
    }),
  );
  await fixture.online.client;
  const { discord } = fixture;
  if (kind === 'http') {
    const { publicKey } = await discord.order<{ publicKey: string }>('/discord/endpoint', {});
    const deliver = (interaction: Parameters<typeof fixture.online.deliver>[0]): boolean => fixture.online.deliver(interaction);
    const takeInteraction = interactionsEndpoint({ publicKey, deliver, clock: systemClock, log: silentLog });
    const options = {
      host: '127.0.0.1',
      port: 0,
      apiQueries: new FakeApiQueries(),
      operations: noOperations,
      takeInteraction,
      clock: systemClock,
      log: silentLog,
    };
    const web = stack.use(await startWeb(options));
    await discord.order('/discord/endpoint', { url: `${web.url}/discord/interactions` });
  }
  const { members } = await discord.order<{ members: { id: string; username: string; bot: boolean }[] }>('/discord', undefined);
  const [administrator, operator, role, withoutRole] = members.filter(({ bot }) => !bot);
  const names = { administrator, operator, role, withoutRole };
  await discord.request('PUT', `/guilds/${discord.guildId}/members/${role?.id}/roles/${ROLES['byId']?.[0]}`);
  const open = stack.move();
  return {
    fixture,
    answers,
    people: {
      administrator: names.administrator?.username ?? '',
      operator: names.operator?.username ?? '',
      role: names.role?.username ?? '',
      withoutRole: names.withoutRole?.username ?? '',
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

describe.each(['gateway', 'http'] as const)('a question, with interactions over %s,', (kind) => {
  let bot: QuestionBot;
  beforeAll(async () => {
    bot = await openQuestionBot(kind);
  });
  afterAll(() => bot[Symbol.asyncDispose]());

  async function ask(key: string): Promise<string> {
    const { discord } = bot.fixture;
    const button = (label: string, target: number | typeof FREE_TEXT): object => ({
      type: 2,
      style: 1,
      label,
      custom_id: answerButtonId(key, target),
    });
    const components = [{ type: 1, components: [button('yes', 0), button('own', FREE_TEXT)] }];
    const body = { content: 'Shall I?', components };
    const sent = await discord.rest().post(`/channels/${discord.channelIds.get('general')}/messages`, { body });
    return (sent as { id: string }).id; // a message
  }

  async function contentOf(id: string): Promise<string | undefined> {
    return (await bot.fixture.discord.messages('general')).find((message) => message.id === id)?.content;
  }

  test.each(Object.keys(ROLES))('with the roles of %s is answered only by people with permission', async (key) => {
    const { discord } = bot.fixture;
    for (const person of PEOPLE) {
      const isAllowed = MAY[key]?.includes(person) ?? false;
      const user = bot.people[person];
      const message = await ask(key);
      const before = bot.answers.length;

      const opened = await discord.interact({ user, message, click: 'own' });
      const forged = await discord.interact({ user, message, forgedForm: answerButtonId(key, FREE_TEXT), fields: { text: 'Mine' } });
      const afterForm = bot.answers.length - before;
      const clicked = await discord.interact({ user, message: await ask(key), click: 'yes' });
      const afterClick = bot.answers.length - before - afterForm;

      const { needsOperate, needsRole } = en.answers;
      const refusal = ROLES[key] ? needsRole(ROLES[key].join(', ').replaceAll('@', '\\@')) : needsOperate;
      expect({ person, opened: opened.outcome, afterForm, afterClick }).toEqual({
        person,
        opened: isAllowed ? 'modal' : 'message',
        afterForm: isAllowed ? 1 : 0,
        afterClick: isAllowed ? 1 : 0,
      });
      if (isAllowed) continue;
      for (const view of [opened, forged, clicked]) {
        expect(privateTexts(view).map((text) => text.replaceAll('\\', ''))).toEqual([refusal.replaceAll('\\', '')]);
      }
      expect(await contentOf(message)).toBe('Shall I?');
    }
  });

  test('that does not exist is closed, and a refusal is in the language of the member', async () => {
    const { discord } = bot.fixture;
    const user = bot.people.withoutRole;

    const gone = await discord.interact({ user, message: await ask('gone'), click: 'yes' });
    const german = await discord.interact({ user, message: await ask('old'), click: 'yes', locale: 'de' });

    const reload = () => discord.order<InteractionView>(`/discord/interactions/${gone.id}`, undefined);
    await expect.poll(async () => privateTexts(await reload())).toEqual([en.answers.closed]);
    expect(privateTexts(german)).toEqual([de.answers.needsOperate]);
  });
});

describe('the buttons of a public answer', () => {
  const rule = (name: string): string =>
    `id: ${name}\nwhen: { every: 1h }\nthen:\n  - { do: discord.send, with: { channel: general, content: hi } }\n`;
  const rules = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`r${index}.yaml`, rule(`r${index}`)]));
  let app: AppFixture;
  beforeAll(async () => {
    app = await openApp('', { rules });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** The custom ids of the enabled buttons of a message. */
  function idsOf({ message }: InteractionView): readonly string[] {
    const found = [...JSON.stringify(message?.components ?? []).matchAll(/"custom_id":"([^"]+)"/gu)].map(([, id = '']) => id);
    return found.filter((id) => !/:page:\d+:\?|:page:?$/u.test(id));
  }

  test.each([
    { command: 'top games', options: {}, by: 'member' },
    { command: 'top streams', options: {}, by: 'moderator' },
    { command: 'automation list', options: {}, by: 'moderator' },
    { command: 'deliveries', options: {}, by: 'moderator' },
    { command: 'automation why', options: { rule: 'r0' }, by: 'moderator' },
  ] as const)('to $command work only for its caller', async ({ command, options, by }) => {
    const [owner, moderator, member] = app.people;
    const caller = by === 'member' ? member : moderator;
    const answer = await app.interact({ user: caller, channel: 'general', command, options, waitMs: 60_000 });
    const shared = await app.interact({ user: caller, message: answer.message?.id, click: 'Show everyone', waitMs: 60_000 });
    const message = shared.message?.id;
    expect(shared.ephemeral).toBe(false);
    const needsOperate = command !== 'top games' && command !== 'top streams';

    for (const customId of idsOf(shared)) {
      for (const user of [owner, moderator, member].filter((one) => one !== caller)) {
        const click = await app.interact({ user, message, customId, forged: true, waitMs: 60_000 });
        const refusal = needsOperate && user === member ? en.errors.notAllowed : en.errors.notYourAnswer;
        expect([customId, user, privateTexts(click)]).toEqual([customId, user, [refusal]]);
      }
      const click = await app.interact({ user: caller, message, customId, forged: true, waitMs: 60_000 });
      expect([customId, click.outcome, privateTexts(click)]).toEqual([customId, 'update', []]);
    }
  });
});
