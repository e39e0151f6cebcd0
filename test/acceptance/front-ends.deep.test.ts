import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ActionName } from '#src/admin/actions/declarations.ts';
import { ACTIONS } from '#src/admin/actions/declarations.ts';
import type { Via } from '#src/admin/actions/actor.ts';
import { submitForm } from '../support/page-forms.ts';
import { launch } from '../support/fanfare-process.ts';
import { openControls, textOf, type ControlsFixture } from '../discord/controls/fixture.ts';
import { deliveryIn } from './delivery-in.ts';

const RULE = `id: live
when: { every: 1h, watch: streaming.getGameStreams, with: { game: VALORANT }, take: 3 }
keep: { posts: keep.posts + 1 }
then: [{ id: hello, do: discord.send, with: { channel: general, content: hello } }]
`;
const TESTS = `rule: live
cases:
  - it: announces a stream
    polls: [[], [{ id: '1', owner: { id: ada }, viewerCount: 5 }]]
    expect: [{ do: discord.send }]
`;

/** A form of the page: its address, and the typed fields by their names. */
interface FormRow {
  readonly form: (id: string) => string;
  readonly typed?: Readonly<Record<string, string>>;
}

/** How each front end performs an action, or why it does not. `id` is a delivery in the state that the action needs. */
interface Row {
  readonly cli: { readonly args: (id: string) => readonly string[]; readonly input?: string } | { readonly not: string };
  readonly discord:
    | { readonly command: string; readonly options: (id: string) => Readonly<Record<string, string>> }
    | { readonly not: string };
  readonly page: FormRow | { readonly not: string };
  readonly api: { readonly path: (id: string) => string; readonly method?: 'PATCH' | 'DELETE'; readonly body: object };
  /** The state that the action needs: a delivery in a state, a person, a token, a list with the entry ada, or its last change; `other tests`: rules in PostgreSQL, a browser, an open episode or a waiting post. */
  readonly needs?: 'failed' | 'unknown' | 'asked' | 'person' | 'token' | 'list' | 'list change' | 'other tests';
}

/** The first server of the sandbox. */
const SERVER = '1202584131993600001';
const rule = { rule: 'live' };
const password = 'correct horse battery';
/** People in Discord are editors at most. */
const NOT_IN_DISCORD = { not: 'operators in Discord have the role editor, and people and tokens need an admin' };

const NOT_BY_LIST = { not: '/follow edits the list followed, and its own tests do' };

const NO_BUTTONS = { not: 'the page has no button for it yet' };

/** A new action needs a row here: a command, a slash command, a button and a request, or why there is none. */
const ROWS: Readonly<Record<ActionName, Row>> = {
  pauseRule: {
    cli: { args: () => ['pause', 'live'] },
    discord: { command: 'automation pause', options: () => rule },
    page: { form: () => '/rules/live' },
    api: { path: () => 'rules/live/pause', body: {} },
  },
  resumeRule: {
    cli: { args: () => ['resume', 'live'] },
    discord: { command: 'automation resume', options: () => rule },
    page: { form: () => '/rules/live' },
    api: { path: () => 'rules/live/resume', body: {} },
  },
  runRule: {
    cli: { args: () => ['run', 'live'] },
    discord: { not: 'it asks for a confirmation first, whose button runs the rule' },
    page: { form: () => '/rules/live' },
    api: { path: () => 'rules/live/run', body: {} },
  },
  announceItem: {
    cli: { args: () => ['run', 'live', '--announce', 'ada'] },
    discord: { not: '/follow add offers it for a streamer who is live, and its own tests do' },
    page: NO_BUTTONS,
    api: { path: () => 'rules/live/announce-item', body: { item: 'ada' } },
  },
  testRule: {
    cli: { not: 'fanfare test runs the tests of files that are not loaded yet' },
    discord: { command: 'automation test', options: () => rule },
    page: { form: () => '/rules/live' },
    api: { path: () => 'rules/live/test', body: {} },
  },
  previewRule: {
    cli: { not: 'fanfare preview shows files that are not loaded yet' },
    discord: { command: 'automation preview', options: () => rule },
    page: { form: () => '/rules/live' },
    api: { path: () => 'rules/live/preview', body: { items: 1 } },
  },
  replayRule: {
    cli: { args: () => ['replay', 'live'] },
    discord: { not: 'a message in Discord has no room for texts side by side' },
    page: { form: () => '/rules/live', typed: { since: '24h' } },
    api: { path: () => 'rules/live/replay', body: { since: '24h', source: RULE } },
  },
  setValue: {
    cli: { args: () => ['keep', 'live', 'posts', '4'] },
    discord: { not: 'a value needs its type, which the command line and the API check before they ask; the card of the rule shows it' },
    page: NO_BUTTONS,
    api: { path: () => 'rules/live/set-value', body: { name: 'posts', value: 4 } },
  },
  resendDelivery: {
    cli: { args: (id) => ['resend', id] },
    discord: { not: 'the button below a failed delivery sends it again' },
    page: { form: (id) => `/deliveries/${id}` },
    api: { path: (id) => `deliveries/${id}/resend`, body: {} },
    needs: 'failed',
  },
  resolveDelivery: {
    cli: { args: (id) => ['resolve', id, 'sent'] },
    discord: { command: 'resolve', options: (id) => ({ delivery: id, outcome: 'sent' }) },
    page: { form: (id) => `/deliveries/${id}` },
    api: { path: (id) => `deliveries/${id}/resolve`, body: { resolution: 'sent' } },
    needs: 'unknown',
  },
  answerDelivery: {
    cli: { args: (id) => ['answer', id, 'send'] },
    discord: { not: 'the buttons below a question answer it' },
    page: { form: () => '/overview' },
    api: { path: (id) => `deliveries/${id}/answer`, body: { choice: 'send' } },
    needs: 'asked',
  },
  muteItem: {
    cli: { not: 'fanfare pause stops a rule, and a mute is for the people who see the message' },
    discord: { not: 'a button of the rule below its message mutes the item' },
    page: NO_BUTTONS,
    api: { path: (id) => `deliveries/${id}/mute-item`, body: {} },
    needs: 'other tests',
  },
  publishVersion: {
    cli: { args: () => ['rules', 'push'] },
    discord: { not: 'a command cannot send files; members approve drafts of the assistant instead' },
    page: NO_BUTTONS,
    api: { path: () => 'versions', body: { after: 0, files: [] } },
    needs: 'other tests',
  },
  rollBackVersion: {
    cli: { args: () => ['rules', 'rollback', '1'] },
    discord: { not: 'it changes all rules, so it needs the changes on one screen first' },
    page: NO_BUTTONS,
    api: { path: () => 'versions/1/roll-back', body: {} },
    needs: 'other tests',
  },
  deleteRule: {
    cli: { args: () => ['rules', 'delete', 'live'] },
    discord: { not: 'it changes the rules for good, so it needs the changes on one screen first' },
    page: NO_BUTTONS,
    api: { path: () => 'rules/live/delete', body: {} },
    needs: 'other tests',
  },
  addListEntries: {
    cli: { args: (id) => ['lists', 'add', id, 'grace', 'twitch=grace'] },
    discord: NOT_BY_LIST,
    page: { form: (id) => `/lists/${id}`, typed: { 'entries.0.id': 'grace' } },
    api: { path: (id) => `lists/${id}/entries`, body: { entries: [{ id: 'grace', fields: { twitch: 'grace' } }] } },
    needs: 'list',
  },
  changeListEntry: {
    cli: { args: (id) => ['lists', 'edit', id, 'ada', 'kick=ada_k'] },
    discord: NOT_BY_LIST,
    page: NO_BUTTONS,
    api: { path: (id) => `lists/${id}/entries/ada`, method: 'PATCH', body: { fields: { kick: 'ada_k' } } },
    needs: 'list',
  },
  removeListEntries: {
    cli: { args: (id) => ['lists', 'remove', id, 'ada'] },
    discord: NOT_BY_LIST,
    page: { form: (id) => `/lists/${id}` },
    api: { path: (id) => `lists/${id}/entries`, method: 'DELETE', body: { entries: ['ada'] } },
    needs: 'list',
  },
  importList: {
    cli: { args: (id) => ['lists', 'import', id, '-'], input: 'grace: { twitch: grace }' },
    discord: NOT_BY_LIST,
    page: NO_BUTTONS,
    api: { path: (id) => `lists/${id}/import`, body: { source: 'grace: { twitch: grace }' } },
    needs: 'list',
  },
  deleteList: {
    cli: { args: (id) => ['lists', 'delete', id] },
    discord: NOT_BY_LIST,
    page: { form: (id) => `/lists/${id}` },
    api: { path: (id) => `lists/${id}`, method: 'DELETE', body: {} },
    needs: 'list',
  },
  undoListChange: {
    cli: { args: (id) => ['lists', 'undo', id] },
    discord: { not: 'the button [Undo] below the answer of a change takes it back' },
    page: { form: (id) => `/lists/${listOfChange.get(id)}` },
    api: { path: (id) => `list-changes/${id}/undo`, body: {} },
    needs: 'list change',
  },
  configureServer: {
    cli: { not: 'the HTTP API changes the settings, and GET /api/servers lists them' },
    discord: { not: 'the menus of /setup change the settings' },
    page: NO_BUTTONS,
    api: { path: () => `servers/${SERVER}/configure`, body: { language: 'de' } },
  },
  editPost: {
    cli: { args: (id) => ['posts', 'edit', id, '--text', 'Doors open at six'] },
    discord: { not: 'the button Edit of /post queue opens a form' },
    page: { form: () => '/posts', typed: { text: 'Doors open at six' } },
    api: { path: (id) => `waiting-posts/${id}/edit`, body: { text: 'Doors open at six' } },
    needs: 'other tests',
  },
  movePost: {
    cli: { args: (id) => ['posts', 'move', id, '--at', 'in 2h'] },
    discord: { not: 'the button for another time of /post queue opens a form' },
    page: { form: () => '/posts', typed: { at: '2026-11-22T12:00:00Z' } },
    api: { path: (id) => `waiting-posts/${id}/move`, body: { at: '2026-11-22T12:00:00Z' } },
    needs: 'other tests',
  },
  cancelPost: {
    cli: { args: (id) => ['posts', 'cancel', id] },
    discord: { not: '/post cancel takes a post of a member, and its own tests do' },
    page: { form: () => '/posts' },
    api: { path: (id) => `waiting-posts/${id}/cancel`, body: {} },
    needs: 'other tests',
  },
  signInAccount: {
    cli: { args: () => ['auth', 'twitch'] },
    discord: { not: 'operators in Discord have the role editor, and a Discord message would show a password' },
    page: { form: () => '/accounts' },
    api: { path: () => 'accounts/twitch/sign-in', body: {} },
  },
  confirmAccount: {
    cli: { not: 'fanfare auth waits for the browser and confirms it' },
    discord: { not: 'operators in Discord have the role editor, and accounts need an admin' },
    page: { form: () => '/accounts' },
    api: { path: () => 'accounts/mastodon/confirm', body: { address: 'http://127.0.0.1:8082/callback?code=c&state=s' } },
    needs: 'other tests',
  },
  signOutAccount: {
    cli: { args: () => ['auth', 'mastodon', '--sign-out'] },
    discord: { not: 'operators in Discord have the role editor, and accounts need an admin' },
    page: { form: () => '/accounts' },
    api: { path: () => 'accounts/mastodon/sign-out', body: {} },
    needs: 'other tests',
  },
  createToken: {
    cli: { args: () => ['token', 'create', '--name', 'ci'] },
    discord: { not: 'a Discord message would show the token' },
    page: { form: () => '/settings', typed: { name: 'page', scope: 'read' } },
    api: { path: () => 'tokens', body: { name: 'ci', scope: 'read' } },
  },
  revokeToken: {
    cli: { args: (id) => ['token', 'revoke', id] },
    discord: NOT_IN_DISCORD,
    page: { form: () => '/settings' },
    api: { path: (id) => `tokens/${id}/revoke`, body: {} },
    needs: 'token',
  },
  addPerson: {
    cli: { args: () => ['user', 'add', 'ada'], input: password },
    discord: { not: 'a Discord message would show the password' },
    page: { form: () => '/settings', typed: { name: 'lin', role: 'viewer', password } },
    api: { path: () => 'people', body: { name: 'grace', role: 'viewer', password } },
  },
  changeRole: {
    cli: { args: (id) => ['user', 'role', id, '--role', 'editor'] },
    discord: NOT_IN_DISCORD,
    page: { form: () => '/settings', typed: { role: 'editor' } },
    api: { path: (id) => `people/${id}`, method: 'PATCH', body: { role: 'editor' } },
    needs: 'person',
  },
  changePassword: {
    cli: { args: (id) => ['user', 'password', id], input: password },
    discord: { not: 'a Discord message would show the password' },
    page: { form: () => '/settings', typed: { password } },
    api: { path: (id) => `people/${id}/change-password`, body: { password } },
    needs: 'person',
  },
  removePerson: {
    cli: { args: (id) => ['user', 'remove', id] },
    discord: NOT_IN_DISCORD,
    page: { form: () => '/settings' },
    api: { path: (id) => `people/${id}/remove`, body: {} },
    needs: 'person',
  },
  signOutPerson: {
    cli: { args: (id) => ['user', 'sign-out', id] },
    discord: NOT_IN_DISCORD,
    page: { form: () => '/settings' },
    api: { path: (id) => `people/${id}/sign-out`, body: {} },
    needs: 'person',
  },
};

/** The commands that use the API of the running process. */
const OVER_API: ReadonlySet<string> = new Set<ActionName>(['runRule', 'announceItem', 'answerDelivery']);

/** The lists of the stored changes. */
const listOfChange = new Map<string, string>();

/** Stores the state that an action needs, and returns its id. */
async function prepare(
  fixture: ControlsFixture,
  needs: Exclude<Row['needs'], 'other tests' | undefined>,
  occasion: string,
): Promise<string> {
  if (needs === 'list' || needs === 'list change') {
    const list = `l_${occasion.replaceAll('-', '_')}`;
    let change: string | undefined;
    await fixture.keep(async ({ lists }) => {
      const by = { name: 'ada', via: 'cli', role: 'admin' } as const;
      change = (await lists.edit({ list }, by, () => ({ after: { ada: { twitch: 'ada' } } })))?.id;
    });
    listOfChange.set(change ?? '', list);
    return needs === 'list' ? list : (change ?? '');
  }
  if (needs !== 'person' && needs !== 'token') return deliveryIn(fixture, needs, occasion);
  const id = `${needs === 'person' ? 'password:' : ''}${occasion.toLowerCase()}`;
  await fixture.keep(async (store) => {
    const { people, apiTokens } = await store.openAccess();
    if (needs === 'person') await people.add({ id, name: occasion, kind: 'password', role: 'viewer' }, 'none');
    else await apiTokens.add(`hash of ${id}`, { id, name: occasion, scope: 'read', by: 'ada' });
  });
  return id;
}

test('each action exists on the command line, in Discord, on the page and in the HTTP API, and each is logged with its front end', async () => {
  await using fixture = await openControls({ files: { 'live.yaml': RULE, 'live.test.yaml': TESTS } });
  const { port } = new URL(fixture.url);
  const environment = { ...fixture.environment, PORT: port };

  const done: string[] = [];
  const expected: string[] = [];
  for (const [name, row] of Object.entries(ROWS)) {
    const perform: Readonly<Partial<Record<Via, (id: string) => Promise<boolean | string>>>> = {
      // The page comes first, because it has only the buttons that change something.
      ...('form' in row.page && {
        page: (id: string) => {
          const { form, typed } = row.page as FormRow; // checked above
          return submitForm(fixture.url, { address: form(id), operation: name, typed });
        },
      }),
      ...('args' in row.cli && {
        cli: async (id: string) => {
          const { args, ...input } = row.cli as Extract<Row['cli'], { args: unknown }>; // checked above
          const command = await launch({ args: [...args(id)], environment, ...input });
          return (await command.exit) === 0 || command.output();
        },
      }),
      ...('command' in row.discord && {
        discord: async (id: string) => {
          const { command, options } = row.discord as Extract<Row['discord'], { command: unknown }>; // checked above
          return textOf(await fixture.owner.command(command, options(id))) !== '';
        },
      }),
      api: async (id) => {
        const response = await fetch(`${fixture.url}/api/${row.api.path(id)}`, {
          method: row.api.method ?? 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(row.api.body),
        });
        return response.ok || response.text();
      },
    };
    if (row.needs === 'other tests') continue;
    for (const [via, act] of Object.entries(perform)) {
      const id = row.needs ? await prepare(fixture, row.needs, `${name}-${via}`) : '';
      expect([name, via, await act(id)]).toEqual([name, via, true]);
      if (!('reads' in ACTIONS[name as ActionName])) expected.push(`${name} ${via === 'cli' && OVER_API.has(name) ? 'api' : via}`); // a key of ROWS
    }
  }

  const Entries = z.object({ items: z.array(z.object({ action: z.string(), by: z.object({ via: z.string() }) })) });
  const { items } = Entries.parse(await (await fetch(`${fixture.url}/api/actions?limit=100`)).json());
  for (const { action, by } of items.toReversed()) done.push(`${action} ${by.via}`);
  expect(done).toEqual(expected);
});
