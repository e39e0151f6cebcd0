import { describe, expect, test } from 'vitest';
import { describeApi } from '#src/web/api/description.ts';
import { Browser } from '../auth/browser.ts';
import { openDiscordSite, type DiscordSite } from '../open-discord-site.ts';
import { openSite } from '../open-site.ts';
import { differencesFromSchema } from './answer-checks.ts';

const PATH = '/api/sandbox/discord';

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function open(text?: string): Promise<
  DiscordSite & {
    readonly get: (query?: string) => Promise<Answer>;
    readonly send: (to: 'interactions' | 'messages', body: object) => Promise<Answer>;
  }
> {
  const site = await openDiscordSite(text);
  const { routes } = await openSite(site);
  const read = async (answer: Response | Promise<Response>): Promise<Answer> => {
    const response = await answer;
    return { status: response.status, body: (await response.json()) as Answer['body'] }; // the API answers objects
  };
  const headers = { 'content-type': 'application/json' };
  return {
    ...site,
    get: (query = '') => read(routes.request(`${PATH}${query}`)),
    send: (to, body) => read(routes.request(`${PATH}/${to}`, { method: 'POST', headers, body: JSON.stringify(body) })),
  };
}

function schemaOf(path: string, method: 'get' | 'post') {
  const schema = describeApi({ hasSandbox: true }).paths[path]?.[method]?.responses['200']?.content?.['application/json']?.schema;
  if (!schema) throw new Error(`${method} ${path} has no answer`);
  return schema;
}

test('a member sees channels, commands and messages in the language of the member', async () => {
  const { get, send } = await open();
  await send('interactions', { user: 'ada', channel: 'general', command: 'show panel', options: { size: 'xl' } });

  const { status, body } = await get('?user=ada&locale=de');

  expect(status).toBe(200);
  expect(differencesFromSchema(body, schemaOf(PATH, 'get'))).toEqual([]);
  expect(body).toMatchObject({
    guild: { name: 'Fanfare Sandbox' },
    member: { username: 'ada', owner: true },
    channel: { name: 'general', mayWrite: true },
    menus: ['Report'],
    messages: [
      {
        content: 'A panel',
        author: { name: 'Fanfare', bot: true },
        command: { name: 'show panel', by: 'Ada' },
        embeds: [{ title: 'A panel', color: 0xff_00_00 }],
        components: [
          {
            type: 1,
            inner: [{ type: 2, customId: 'next' }, {}, { disabled: true }, { customId: 'done' }, { url: 'https://example.com/' }],
          },
          {},
          {},
          {},
          { type: 1, inner: [{ type: 2, label: 'Next page' }] },
        ],
      },
    ],
  });
  expect(body['commands']).toContainEqual(expect.objectContaining({ command: 'grüßen', description: 'Grüßen' }));
});

test('a command, a button, a menu and a form reach the bot', async () => {
  const { get, send, got } = await open();
  const interaction = async (input: object): Promise<Answer['body']> => {
    const { status, body } = await send('interactions', { user: 'ada', locale: 'de', ...input });
    expect([status, differencesFromSchema(body, schemaOf(`${PATH}/interactions`, 'post'))]).toEqual([200, []]);
    return body;
  };

  expect(await interaction({ channel: 'general', command: 'grüßen', options: { name: 'gr' }, focused: 'name' })).toMatchObject({
    outcome: 'choices',
    choices: [{ name: 'Grace · live', value: 'id-of-grace' }, { name: 'Gregory · live' }],
  });
  await interaction({ channel: 'general', command: 'show panel', options: { size: 'Very large', who: 'grace' } });
  const { messages = [] } = (await get('?user=ada')).body as { readonly messages?: readonly { readonly id: string }[] }; // the answer has messages
  const message = messages.at(-1)?.id;
  expect(await interaction({ message, customId: 'next' })).toMatchObject({ outcome: 'update' });
  await interaction({ message, customId: 'days', values: ['monday', 'friday'] });
  const opened = await interaction({ message, customId: 'edit' });
  expect(opened).toMatchObject({
    outcome: 'modal',
    modal: { title: 'A panel', components: [{ inner: [{ customId: 'title', value: 'Chess' }] }] },
  });
  await interaction({ modal: opened['id'], fields: { title: 'Go' } });
  await interaction({ message, menu: 'Report' });

  expect(got).toEqual([
    'typing gr',
    expect.stringMatching(/^show panel \{"size":"xl","who":"\d+"\} de$/u),
    'next',
    'days monday,friday',
    'edit',
    'form Go',
    'Report',
  ]);
});

test('an ephemeral answer is for one member', async () => {
  const { get, send } = await open();
  await send('interactions', { user: 'ada', channel: 'general', command: 'greet', options: { name: 'x' } });

  expect((await get('?user=ada')).body['messages']).toMatchObject([{ content: 'greet x', ephemeral: true }]);
  expect((await get('?user=linus')).body['messages']).toEqual([]);
});

test('a member writes a message', async () => {
  const { get, send } = await open();
  const { body } = await send('messages', { user: 'linus', channel: 'general', content: 'Hello' });
  expect((await get('?user=ada')).body['messages']).toMatchObject([
    { id: body['message'], content: 'Hello', author: { name: 'Linus', bot: false } },
  ]);
});

test('a member without permission sees no commands and channels of moderators', async () => {
  const { get } = await open();
  const seenBy = async (user: string) => {
    const { commands, channels } = (await get(`?user=${user}`)).body as Readonly<
      Record<string, readonly { command: string; name: string }[]>
    >; // the answer has lists
    return [commands?.some(({ command }) => command === 'moderate'), channels?.some(({ name }) => name === 'moderators')];
  };
  expect([await seenBy('grace'), await seenBy('linus')]).toEqual([
    [true, true],
    [false, false],
  ]);
});

describe('a refusal of Discord is a problem:', () => {
  test.for([
    [{ channel: 'general', command: 'moderate' }, 'moderate is not for linus'],
    [{ channel: 'general', command: 'shw panel' }, 'Did you mean "show"?'],
    [{ channel: 'general', command: 'greet' }, 'options.name: required'],
    [{ channel: 'moderators', command: 'show panel' }, 'linus may not do this'],
    [{ message: '1', customId: 'next' }, 'no message has the id 1'],
  ] as const)('%j', async ([input, text]) => {
    const { send } = await open();
    expect(await send('interactions', { user: 'linus', ...input })).toMatchObject({
      status: 409,
      body: { code: 'sandboxRefused', detail: expect.stringContaining(text) },
    });
  });
});

test('a forged interaction is refused before the sandbox gets it', async () => {
  const { send } = await open();
  const input = { user: 'linus', channel: 'general', command: 'moderate', forged: true };
  expect(await send('interactions', input)).toMatchObject({ status: 400, body: { code: 'invalidBody' } });
});

test('only administrators use the simulated Discord', async () => {
  const site = await openDiscordSite();
  const { routes, access } = await openSite({ ...site, host: '0.0.0.0', allowedHosts: ['fanfare.example'] });
  const statusOf = async (role: 'editor' | 'admin'): Promise<number> => {
    await access.addPerson({ name: role, role, password: 'correct horse battery' }, { name: 'root', via: 'cli', role: 'admin' });
    const browser = new Browser(routes, { address: '192.0.2.1' });
    await browser.signIn(role, 'correct horse battery');
    return (await browser.request(PATH)).status;
  };
  expect([await statusOf('editor'), await statusOf('admin')]).toEqual([403, 200]);
});
