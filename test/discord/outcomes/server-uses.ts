import { PROBLEMS, type Fixture } from './fixture.ts';
import {
  below,
  cannot,
  command,
  componentIn,
  idIn,
  messageOf,
  NAMES_NOTHING,
  NO_BUTTON,
  NO_INPUT,
  run,
  type Prepare,
  type Use,
} from './use.ts';

const setup = run('setup');

/** A choice in `/setup` by the name of a channel or role, after another choice was stored. */
const choosing =
  (customId: string, kind: 'channels' | 'roles', name: string, before: string): Prepare =>
  async (fixture) => {
    const message = messageOf(await setup(fixture));
    const id = (one: string): readonly string[] => (one === '' ? [] : [fixture[kind][one] ?? '']);
    await fixture.act({ message, customId, values: id(before), forged: true });
    return { message, customId, values: id(name) };
  };

/** No channel or role has this id. */
const NO_ID = '1202584131993609999';

/** The choice of a role that the bot may not give. */
function roleUse(use: string): Use {
  return {
    use,
    right: choosing(use, 'roles', 'Live', ''),
    wrong: below(setup, use, [NO_ID]),
    old: NAMES_NOTHING,
    lacking: async (fixture) => below(setup, use, [fixture.roles['Moderator'] ?? ''])(fixture),
  };
}

/** The set-up of a server. */
export const SETUP: readonly Use[] = [
  { use: '/help', right: command('help'), wrong: NO_INPUT, old: NO_BUTTON },
  { use: '/setup', right: command('setup'), wrong: NO_INPUT, old: NO_BUTTON },
  { use: 'help:start', right: below(run('help'), 'help:start'), wrong: NO_INPUT, old: NAMES_NOTHING },
  { use: 'setup:start', right: below(setup, 'setup:start:1'), wrong: NO_INPUT, old: NAMES_NOTHING },
  {
    use: 'setup:channel',
    right: choosing('setup:channel', 'channels', 'live', 'general'),
    wrong: below(setup, 'setup:channel', [NO_ID]),
    old: NAMES_NOTHING,
  },
  {
    use: 'setup:problems',
    right: choosing('setup:problems', 'channels', PROBLEMS, ''),
    wrong: below(setup, 'setup:problems', [NO_ID]),
    old: NAMES_NOTHING,
  },
  roleUse('setup:ping'),
  {
    use: 'setup:everyone',
    async right(fixture) {
      await fixture.act({ message: messageOf(await setup(fixture)), customId: 'setup:everyone:no', forged: true });
      return below(asked, 'setup:everyone:yes')(fixture);
    },
    wrong: below(setup, 'setup:everyone:maybe'),
    old: NAMES_NOTHING,
  },
  roleUse('setup:live'),
  {
    use: 'setup:language',
    right: async (fixture) => {
      const message = messageOf(await setup(fixture));
      await fixture.act({ message, customId: 'setup:language', values: ['en'] });
      return { message, customId: 'setup:language', values: ['server'] };
    },
    wrong: below(setup, 'setup:language', ['fr']),
    old: NAMES_NOTHING,
  },
  { use: 'setup:zone', right: below(setup, 'setup:zone'), wrong: NO_INPUT, old: NAMES_NOTHING },
  {
    use: 'setup:zoned',
    right: async (fixture) => zoned(fixture.locale === 'de' ? 'Europe/Berlin' : 'America/New_York')(fixture),
    wrong: zoned('Mars/Olympus'),
    old: NAMES_NOTHING,
  },
  {
    use: 'setup:roles',
    right: async (fixture) => below(setup, 'setup:roles:follow', [fixture.roles['Live'] ?? ''])(fixture),
    wrong: below(setup, 'setup:roles:follow', [NO_ID]),
    old: NAMES_NOTHING,
  },
  { use: 'setup:check', right: below(setup, 'setup:check'), wrong: NO_INPUT, old: NAMES_NOTHING },
  { use: 'setup:main', right: below(setup, 'setup:main'), wrong: NO_INPUT, old: NAMES_NOTHING },
  { use: 'setup:test', right: below(setup, 'setup:test'), wrong: NO_INPUT, old: NAMES_NOTHING },
  { use: 'setup:done', right: below(setup, 'setup:done'), wrong: NO_INPUT, old: NAMES_NOTHING },
  { use: '/pings choose', right: command('pings choose'), wrong: NO_INPUT, old: NO_BUTTON },
  { use: '/pings post', right: command('pings post'), wrong: NO_INPUT, old: NO_BUTTON },
  { use: 'pings:mine', right: below(run('help'), 'pings:mine'), wrong: NO_INPUT, old: NAMES_NOTHING },
  {
    use: 'pings:chosen',
    changesRoles: true,
    async right(fixture) {
      await offered(fixture);
      const earlier = messageOf(await run('pings choose')(fixture));
      await fixture.act({ message: earlier, customId: 'pings:chosen', values: [] });
      const message = messageOf(await run('pings choose')(fixture));
      return { message, customId: 'pings:chosen', values: [fixture.roles['Live'] ?? ''] };
    },
    wrong: async (fixture) => below(offered, 'pings:chosen', [fixture.roles['Moderator'] ?? ''])(fixture),
    old: cannot('the menu shows the roles of today'),
  },
  {
    use: 'pings:offer',
    right: async (fixture) => below(run('pings post'), 'pings:offer', [fixture.roles['Live'] ?? ''])(fixture),
    wrong: below(run('pings post'), 'pings:offer', [NO_ID]),
    old: NAMES_NOTHING,
    lacking: async (fixture) => below(run('pings post'), 'pings:offer', [fixture.roles['Moderator'] ?? ''])(fixture),
  },
  {
    use: 'pings:post',
    right: below(offered, 'pings:post'),
    wrong: NO_INPUT,
    old: NAMES_NOTHING,
  },
];

/** The question whether to ping everyone. */
async function asked(fixture: Fixture) {
  const page = await setup(fixture);
  return fixture.act({ message: messageOf(page), customId: 'setup:everyone', forged: true });
}

/** The form of the time zone with a text. */
function zoned(zone: string): Prepare {
  return async (fixture) => {
    const message = messageOf(await setup(fixture));
    const { id } = await fixture.act({ message, customId: 'setup:zone', forged: true });
    return { modal: id, customId: 'setup:zoned', fields: { zone } };
  };
}

/** `/pings post` after a role was offered. */
async function offered(fixture: Fixture) {
  const page = await run('pings post')(fixture);
  await fixture.act({ message: messageOf(page), customId: 'pings:offer', values: ['Live'] });
  return run('pings post')(fixture);
}

/** A streamer who is followed. */
const followed =
  (handle: string) =>
  async (fixture: Fixture): Promise<void> => {
    await fixture.act({ command: 'follow add', options: { streamer: `twitch.tv/${handle}` } });
  };

async function unfollow(fixture: Fixture, handle: string): Promise<void> {
  await fixture.act({ ...fixture.places.outsider, command: 'follow remove', options: { streamer: handle } });
  await fixture.act({ command: 'follow remove', options: { streamer: handle } });
}

async function opened(fixture: Fixture, name: string, options: Readonly<Record<string, string>> = {}): Promise<string> {
  const { id, outcome } = await fixture.act({ command: name, options });
  if (outcome !== 'modal') throw new Error(`${name} opened no form`);
  return id;
}

const edit = (fields: Readonly<Record<string, string | readonly string[]>>) => async (fixture: Fixture) => {
  await followed('ada')(fixture);
  return {
    modal: await opened(fixture, 'follow edit', { streamer: 'ada' }),
    customId: 'follow:edited:ada',
    fields: { ...fields, message: `${String(fields['message'])} ${fixture.locale}` },
  };
};

/** An interaction whose answer has the id of the change. */
async function changed(fixture: Fixture) {
  await unfollow(fixture, 'linus');
  return fixture.act({ command: 'follow add', options: { streamer: 'twitch.tv/linus' } });
}

/** The streamers of a server. */
export const FOLLOW: readonly Use[] = [
  {
    use: '/follow add',
    async right(fixture) {
      await unfollow(fixture, 'dennis');
      return { command: 'follow add', options: { streamer: 'twitch.tv/dennis' } };
    },
    wrong: command('follow add', { streamer: 'nobody_is_called_this' }),
    old: NO_BUTTON,
    waits: true,
  },
  {
    use: '/follow edit',
    async right(fixture) {
      await followed('ada')(fixture);
      return { command: 'follow edit', options: { streamer: 'ada' } };
    },
    wrong: command('follow edit', { streamer: 'nobody_is_called_this' }),
    old: NO_BUTTON,
  },
  { use: '/follow list', right: command('follow list'), wrong: NO_INPUT, old: NO_BUTTON },
  {
    use: '/follow remove',
    async right(fixture) {
      await followed('dennis')(fixture);
      return { command: 'follow remove', options: { streamer: 'dennis' } };
    },
    wrong: command('follow remove', { streamer: 'nobody_is_called_this' }),
    old: NO_BUTTON,
  },
  { use: '/follow import', right: command('follow import'), wrong: NO_INPUT, old: NO_BUTTON },
  { use: '/follow export', right: command('follow export'), wrong: NO_INPUT, old: NO_BUTTON },
  { use: 'follow:form', right: below(run('follow list'), 'follow:form'), wrong: NO_INPUT, old: NAMES_NOTHING },
  {
    use: 'follow:names',
    async right(fixture) {
      await unfollow(fixture, 'margaret');
      const page = await run('setup')(fixture);
      const { id } = await fixture.act({ message: messageOf(page), customId: 'follow:form' });
      return { modal: id, customId: 'follow:names', fields: { names: 'twitch.tv/margaret' } };
    },
    async wrong(fixture) {
      const page = await run('setup')(fixture);
      const { id } = await fixture.act({ message: messageOf(page), customId: 'follow:form' });
      return { modal: id, customId: 'follow:names', fields: { names: ', ,' } };
    },
    old: NAMES_NOTHING,
    waits: true,
  },
  {
    use: 'follow:imported',
    async right(fixture) {
      await unfollow(fixture, 'barbara');
      return {
        modal: await opened(fixture, 'follow import'),
        customId: 'follow:imported',
        fields: { names: 'barbara: { twitch: barbara }' },
      };
    },
    wrong: async (fixture) => ({
      modal: await opened(fixture, 'follow import'),
      customId: 'follow:imported',
      fields: { names: 'barbara: { twitch: [' },
    }),
    old: NAMES_NOTHING,
  },
  {
    use: 'follow:edited',
    right: edit({ message: 'Queen to {game}!', after: ['keep'] }),
    wrong: edit({ message: 'Queen to {gmae}!', after: ['keep'] }),
    async old(fixture) {
      await followed('hiddenyak')(fixture);
      const modal = await opened(fixture, 'follow edit', { streamer: 'hiddenyak' });
      await unfollow(fixture, 'hiddenyak');
      return { modal, customId: 'follow:edited:hiddenyak', fields: { message: 'Queen!', after: ['keep'] } };
    },
  },
  {
    use: 'follow:pick',
    async right(fixture) {
      await unfollow(fixture, 'grace');
      return componentIn(run('follow add', { streamer: 'grace' }), 'follow:pick:all')(fixture);
    },
    wrong: below(run('follow list'), 'follow:pick:myspace:?handle=grace'),
    old: below(run('follow list'), 'follow:pick:twitch:?handle=nobody_is_called_this'),
    waits: true,
  },
  {
    use: 'follow:undo',
    right: componentIn(changed, 'follow:undo'),
    wrong: NO_INPUT,
    async old(fixture) {
      const view = await changed(fixture);
      const customId = idIn(view, 'follow:undo');
      await fixture.act({ message: messageOf(view), customId });
      return { message: messageOf(await run('follow list')(fixture)), customId };
    },
  },
  {
    use: 'follow:announce',
    async right(fixture) {
      await followed('ada')(fixture);
      await fixture.act({ message: messageOf(await run('follow list')(fixture)), customId: 'follow:announce:ada', forged: true });
      return below(run('follow list'), 'follow:announce:ada')(fixture);
    },
    wrong: NO_INPUT,
    old: below(run('follow list'), 'follow:announce:rosalind'),
    waits: true,
  },
  {
    use: 'follow:list',
    right: below(run('follow list'), 'follow:list:0:next'),
    wrong: NO_INPUT,
    old: below(run('follow list'), 'follow:list:99:next'),
  },
];
