import { fireUnknown } from './unknown-delivery.ts';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import type { Fixture } from './fixture.ts';
import {
  below,
  cannot,
  CHOICES,
  command,
  componentIn,
  idIn,
  messageOf,
  NO_BUTTON,
  NO_INPUT,
  run,
  type Order,
  type Prepare,
  type Use,
} from './use.ts';

const QUIET = { rule: 'quiet' };
const NO_RULE = { rule: 'no-such-rule' };

/** The first failed delivery of a rule in the first server. */
async function failed(fixture: Fixture): Promise<string> {
  await fixture.post('rules/greet/run', {});
  await fixture.quiet();
  const { items } = await fixture.get<{ items: readonly { id: string; account: string; rule: string }[] }>(
    'deliveries?state=failed&limit=50',
  );
  const found = items.find(({ account, rule }) => account === 'discord' && rule === 'greet');
  if (!found) throw new Error('nothing failed');
  return found.id;
}

const set =
  (path: 'pause' | 'resume', rule: string) =>
  async (fixture: Fixture): Promise<void> => {
    await fixture.post(`rules/${rule}/${path}`, {});
  };

const after =
  (prepare: (fixture: Fixture) => Promise<void>, then: Prepare): Prepare =>
  async (fixture) => {
    await prepare(fixture);
    return then(fixture);
  };

const show = run('automation show', QUIET);
const FOLLOWED = { rule: 'followed', streamer: 'ada' };
const NOT_FOLLOWED = { rule: 'followed', streamer: 'nobody_is_called_this' };

/** Follows a streamer, whose announcements are on or off. */
const followed =
  (state: 'enable' | 'disable') =>
  async (fixture: Fixture): Promise<void> => {
    await fixture.act({ command: 'follow add', options: { streamer: 'twitch.tv/ada' } });
    await fixture.act({ command: `automation ${state}`, options: FOLLOWED });
  };

const GONE_RULE = 'zzzz-gone-rule';
const old = (action: string): Prepare => below(show, `automation:${action}:${GONE_RULE}`);

/** The rules. */
export const AUTOMATION: readonly Use[] = [
  { use: '/automation list', right: command('automation list'), wrong: NO_INPUT, old: NO_BUTTON },
  ...(['show', 'why', 'preview', 'test', 'run'] as const).map((name) => ({
    use: `/automation ${name}`,
    right: command(`automation ${name}`, QUIET),
    wrong: command(`automation ${name}`, NO_RULE),
    old: NO_BUTTON,
  })),
  {
    use: '/automation pause',
    right: after(set('resume', 'quiet'), command('automation pause', QUIET)),
    wrong: command('automation pause', NO_RULE),
    old: NO_BUTTON,
  },
  {
    use: '/automation resume',
    right: after(set('pause', 'doubt'), command('automation resume', { rule: 'doubt' })),
    wrong: command('automation resume', NO_RULE),
    old: NO_BUTTON,
  },
  {
    use: 'automation:list',
    isData: true,
    right: below(run('automation list'), 'automation:list:0:next'),
    wrong: NO_INPUT,
    old: below(run('automation list'), 'automation:list:99:next'),
  },
  { use: 'automation:show', right: below(run('automation list'), 'automation:show:quiet'), wrong: NO_INPUT, old: old('show') },
  {
    use: 'automation:item',
    right: below(run('automation list'), 'automation:item:ada:share'),
    wrong: NO_INPUT,
    old: cannot('an item that no rule knows has an answer'),
  },
  { use: 'automation:why', right: below(show, 'automation:why:quiet'), wrong: NO_INPUT, old: old('why') },
  { use: 'automation:preview', right: below(show, 'automation:preview:quiet'), wrong: NO_INPUT, old: old('preview') },
  {
    use: 'automation:pause',
    right: after(set('resume', 'quiet'), below(show, 'automation:pause:quiet:card')),
    wrong: NO_INPUT,
    old: old('pause'),
  },
  {
    use: 'automation:resume',
    right: after(set('pause', 'doubt'), below(run('automation show', { rule: 'doubt' }), 'automation:resume:doubt:card')),
    wrong: NO_INPUT,
    old: old('resume'),
  },
  {
    use: '/automation enable',
    right: after(followed('disable'), command('automation enable', FOLLOWED)),
    wrong: command('automation enable', NOT_FOLLOWED),
    old: NO_BUTTON,
  },
  {
    use: '/automation disable',
    right: after(followed('enable'), command('automation disable', FOLLOWED)),
    wrong: command('automation disable', NOT_FOLLOWED),
    old: NO_BUTTON,
  },
  {
    use: '/automation remove',
    right: after(followed('enable'), command('automation remove', FOLLOWED)),
    wrong: command('automation remove', NOT_FOLLOWED),
    old: NO_BUTTON,
  },
  {
    use: 'automation:switch',
    right: after(
      async (fixture) => {
        await fixture.act({ command: 'automation enable', options: { rule: 'followed' } });
      },
      below(run('help'), 'automation:switch:off'),
    ),
    wrong: NO_INPUT,
    old: cannot('it changes the settings of the server'),
    isLayout: true,
  },
  {
    use: 'automation:undo',
    right: after(followed('enable'), componentIn(run('automation disable', FOLLOWED), 'automation:undo')),
    wrong: NO_INPUT,
    old: below(run('help'), `automation:undo:00000000-0000-4000-8000-000000000000`),
    isLayout: true,
  },
  {
    use: 'automation:run',
    right: after(set('resume', 'quiet'), componentIn(run('automation run', QUIET), 'automation:run')),
    wrong: NO_INPUT,
    old: below(run('automation run', QUIET), 'automation:run:gone'),
  },
  {
    use: 'automation:leave',
    right: componentIn(run('automation run', QUIET), 'automation:leave'),
    wrong: NO_INPUT,
    old: below(run('automation run', QUIET), 'automation:leave:gone'),
  },
];

const GONE = '00000000-0000-4000-8000-000000000000';

/** A button of a delivery that `create` makes. */
function deliveryUse(use: string, create: (fixture: Fixture) => Promise<string>): Use {
  return {
    use,
    right: async (fixture) => below(run('deliveries'), `${use}:${await create(fixture)}`)(fixture),
    wrong: NO_INPUT,
    old: below(run('deliveries'), `${use}:${GONE}`),
  };
}

/** What was sent. */
export const DELIVERIES: readonly Use[] = [
  { use: '/deliveries', right: command('deliveries'), wrong: command('deliveries', NO_RULE), old: NO_BUTTON },
  {
    use: '/resolve',
    right: async (fixture) => ({ command: 'resolve', options: { delivery: await fireUnknown(fixture), outcome: 'sent' } }),
    wrong: command('resolve', { delivery: 'nothing', outcome: 'sent' }),
    old: NO_BUTTON,
  },
  { use: '/status', right: command('status'), wrong: NO_INPUT, old: NO_BUTTON },
  { use: 'deliveries:fix', right: below(run('deliveries'), 'deliveries:fix:x'), wrong: NO_INPUT, old: cannot('it only shows what to do') },
  {
    use: 'deliveries:retry',
    isRetried: true,
    right: below(run('deliveries'), 'deliveries:retry:solved'),
    wrong: NO_INPUT,
    old: below(run('deliveries'), 'deliveries:retry:gone'),
  },
  deliveryUse('deliveries:show', failed),
  { ...deliveryUse('deliveries:resend', failed), isRetried: true },
  {
    use: 'deliveries:page',
    isData: true,
    right: below(run('deliveries'), 'deliveries:page:0:::next'),
    wrong: NO_INPUT,
    old: below(run('deliveries'), `deliveries:page:0:${GONE_RULE}::next`),
  },
  deliveryUse('resolve:show', fireUnknown),
  deliveryUse('resolve:sent', fireUnknown),
  { ...deliveryUse('resolve:again', fireUnknown), isRetried: true },
  { use: 'status:share', right: below(run('status'), 'status:share'), wrong: NO_INPUT, old: cannot('it shows the state of now') },
  {
    use: 'Why this message?',
    right: async (fixture) => ({ message: (await sentBy(fixture, 'quiet')).id, menu: 'Why this message?' }),
    wrong: async (fixture) => ({ message: messageOf(await run('top games')(fixture)), menu: 'Why this message?' }),
    old: NO_BUTTON,
  },
];

/** Runs a rule and returns its message. */
function sentBy(fixture: Fixture, rule: string): Promise<MessageView> {
  return fixture.sentBy(() => fixture.post(`rules/${rule}/run`, {}));
}

function buttonOf(message: MessageView, start: string): Order {
  return { message: message.id, customId: idIn({ message, followUps: [] }, start) };
}

let card: Promise<MessageView> | undefined;

/** The message about an item: one for all uses, because its item is announced once. */
function cardOf(fixture: Fixture): Promise<MessageView> {
  card ??= fixture.sentBy(() => fixture.post('rules/card/announce-item', { item: 'grace' }));
  return card;
}

/** The buttons of messages that rules send. */
export const OF_RULES: readonly Use[] = [
  {
    use: 'answer',
    right: async (fixture) => buttonOf(await sentBy(fixture, 'question'), 'answer:'),
    wrong: CHOICES,
    old: async (fixture) => ({ message: (await sentBy(fixture, 'question')).id, customId: 'answer:gone:0' }),
  },
  {
    use: 'press (role)',
    changesRoles: true,
    async right(fixture) {
      await fixture.takeRole('Live');
      return buttonOf(await sentBy(fixture, 'roles'), 'press:');
    },
    wrong: NO_INPUT,
    old: async (fixture) => ({ message: (await sentBy(fixture, 'roles')).id, customId: 'press:gone:0' }),
  },
  {
    use: 'press (mute)',
    right: async (fixture) => buttonOf(await cardOf(fixture), 'press:'),
    wrong: NO_INPUT,
    old: async (fixture) => ({ message: (await cardOf(fixture)).id, customId: 'press:gone:0' }),
    isKept: true,
  },
];
