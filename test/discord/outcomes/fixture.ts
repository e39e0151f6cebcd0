import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import { vi } from 'vitest';
import { openStore, type Store } from '#src/store/store.ts';
import { BERLIN, FIRST, openServers, type ServersFixture } from '../../acceptance/servers/fixture.ts';
import { fetch, type InteractionView } from '../../support/discord-sandbox.ts';
import { handledIn } from '../app-fixture.ts';
import { RULES } from './fixture-rules.ts';

/** A server that has the bot, but is not configured. */
const CLUB = 'Chess Club';

/** On a busy machine, many simultaneous commands need longer than Discord waits. */
const ANSWER_MS = 15_000;
/** Longer than each answer takes. */
const WAIT_MS = 40_000;

/** The channel for problems, in which nothing but alerts is sent. */
export const PROBLEMS = 'moderators';

const MEMBER = 'barbara';
/** These people stream, and the others that are followed do not: their schedules would announce streams at any time. */
const LIVE = ['ada', 'grace', 'linus'];
const OFFLINE = ['barbara', 'dennis', 'margaret'];

export type Person = 'moderator' | 'member' | 'outsider' | 'stranger';

/** Where each person acts. */
interface Place {
  readonly user: string;
  readonly guild: string;
}

export interface Fixture extends AsyncDisposable {
  readonly app: ServersFixture;
  readonly places: Readonly<Record<Person, Place>>;
  /** The ids of channels and roles of the first server, by name. */
  readonly channels: Readonly<Record<string, string>>;
  readonly roles: Readonly<Record<string, string>>;
  /** Lines of posts, which are not texts of Fanfare. */
  readonly foreign: Set<string>;
  /** The language of the person. */
  locale: string;
  /** An interaction of the moderator. */
  act(order: object): Promise<InteractionView>;
  /** An interaction, after Fanfare handled it completely. */
  interact(order: object): Promise<InteractionView>;
  /** Waits until Fanfare has handled this many interactions from now on. */
  handles(count: number): () => Promise<void>;
  /** The present state of an interaction. */
  reload(id: string): Promise<InteractionView>;
  /** An interaction whose message is deleted before the answer arrives. */
  whileDeleting(message: string, order: object): Promise<InteractionView>;
  /** Uses servers with faults. */
  withFaults<T>(faults: readonly object[], use: () => Promise<T>): Promise<T>;
  /** Takes permissions from the bot in the channels of commands and announcements. */
  lacking<T>(permissions: readonly string[], use: () => Promise<T>): Promise<T>;
  /** Uses the store of the running Fanfare. */
  keep<T>(use: (store: Store) => Promise<T>): Promise<T>;
  /** A write with the HTTP API. */
  post(path: string, body: object): Promise<unknown>;
  /** A read with the HTTP API. */
  get<T>(path: string): Promise<T>;
  /** The public message that `work` sends. */
  sentBy(work: () => Promise<unknown>): Promise<MessageView>;
  /** Whether the state includes the roles of the moderator. */
  watchesRoles: boolean;
  /** Takes a role from the moderator and the member. */
  takeRole(name: string): Promise<void>;
  /** What has effects: counts and rows, by the name of the effect. */
  state(): Promise<State>;
  /** Waits until nothing is being sent. */
  quiet(): Promise<void>;
  /** Replaces ids and times. */
  plain(text: string): string;
}

export interface State {
  readonly rows: Readonly<Record<string, string>>;
  /** The actions in the audit log, oldest first. */
  readonly audit: readonly string[];
  readonly messages: readonly MessageView[];
}

/** The tables that people change, by what they hold. */
const EFFECTS = {
  pause: 'select rule, until_ms from paused_rule',
  list: 'select list, server, id, fields from list_entry',
  settings: 'select id, body from discord_server',
  mute: 'select rule, id, muted_ms from episode where muted_ms is not null',
  'draft of a post': 'select id, body from post_draft',
  post: 'select id, at_ms, cancelled_by from post',
  'draft of the assistant': 'select id, state from draft',
  conversation: 'select id from conversation',
} as const;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** A member of a server, or an error during an outage. */
interface MemberAnswer {
  readonly roles?: readonly string[];
}

interface Described {
  readonly guild: Named;
  readonly channels: readonly Named[];
  readonly roles: readonly Named[];
  readonly members: readonly { readonly id: string; readonly username: string }[];
}

/** Fanfare in its home server, in a second server, and in one that is not configured. */
export async function openFixture(): Promise<Fixture> {
  await using stack = new AsyncDisposableStack();
  const prepare = async (control: ServersFixture['control']): Promise<void> => {
    await control('/discord/servers', { name: CLUB, owner: 'linus' });
    for (const user of LIVE) await control('/world', { do: 'goLive', user, title: 'Endgames', game: 'Chess' });
    for (const user of OFFLINE) await control('/world', { do: 'end', user });
  };
  /** Called once before the next answer arrives. */
  let beforeAnswer: (() => Promise<unknown>) | undefined;
  const onDiscord = async ({ path }: { readonly path: string }): Promise<void> => {
    if (!path.endsWith('/callback')) return;
    const act = beforeAnswer;
    beforeAnswer = undefined;
    await act?.();
  };
  const app = stack.use(await openServers({ rules: RULES, answerMs: ANSWER_MS, onDiscord, prepare }));
  const guilds = await Promise.all(
    [FIRST, BERLIN, CLUB].map((guild) => app.control<Described>(`/discord?guild=${encodeURIComponent(guild)}`)),
  );
  const [first, , club] = guilds;
  // The server was configured before, so it still has the commands.
  const { id: bot } = await app.rest<{ id: string }>('/users/@me');
  const commands = await app.rest<readonly object[]>(`/applications/${bot}/guilds/${first?.guild.id}/commands?with_localizations=true`);
  await app.put(`/applications/${bot}/guilds/${club?.guild.id}/commands`, commands);
  const idsOf = (named: readonly Named[] = []): Record<string, string> => Object.fromEntries(named.map(({ id, name }) => [name, id]));
  const names = new Map(
    guilds.flatMap(({ channels, members, roles }) => [
      ...channels.map(({ id, name }) => [`<#${id}>`, `#${name}`] as const),
      ...roles.map(({ id, name }) => [`<@&${id}>`, name.replace(/^(?!@)/u, '@')] as const),
      ...members.map(({ id, username }) => [`<@${id}>`, `@${username}`] as const),
    ]),
  );
  const file = join(app.data, 'fanfare.sqlite');
  const database = new DatabaseSync(file, { readOnly: true });
  stack.defer(() => database.close());
  const statements = Object.entries(EFFECTS).map(([name, sql]) => [name, database.prepare(sql)] as const);
  const audited = database.prepare("select action from audit where outcome = 'done' order by seq");
  const open = database.prepare(
    `select count(*) as count from delivery where state = 'sending'
      or (state = 'pending' and (due_ms < 200 + 1000 * unixepoch('subsec') or reason ->> 'kind' = 'postponed'))`,
  );
  let cursor = '0';

  /** The messages since the last call, without alerts, which come at any time. */
  async function newMessages(): Promise<readonly MessageView[]> {
    const { items } = await app.control<{ items: readonly MessageView[] }>(`/messages?limit=1000&cursor=${cursor}`);
    cursor = items.at(-1)?.id ?? cursor;
    return items.filter(({ channel }) => channel.name !== PROBLEMS);
  }

  const { firstModerator, berlinOwner } = app.who;
  /** Waits for a condition. */
  const until = <T>(what: () => Promise<T | undefined | false>): Promise<T> =>
    vi.waitFor(
      async () => {
        const found = await what();
        if (!found) throw new Error(app.lines.slice(-20).join(''));
        return found;
      },
      { timeout: WAIT_MS, interval: 5 },
    );
  let knownRoles: readonly string[] = [];
  async function rolesOf(name: string): Promise<readonly string[]> {
    const id = first?.members.find(({ username }) => username === name)?.id;
    const { roles } = await app.rest<MemberAnswer>(`/guilds/${first?.guild.id}/members/${id}`);
    // An outage changes no roles.
    return (knownRoles = roles ?? knownRoles);
  }
  const handled = (): number => handledIn(app.lines);
  const fixture: Fixture = {
    app,
    places: {
      moderator: { user: firstModerator, guild: FIRST },
      member: { user: MEMBER, guild: FIRST },
      outsider: { user: berlinOwner, guild: BERLIN },
      stranger: { user: berlinOwner, guild: CLUB },
    },
    channels: idsOf(first?.channels),
    roles: idsOf(first?.roles),
    foreign: new Set(),
    locale: 'en-US',
    watchesRoles: false,
    act: (order) =>
      fixture.interact({
        user: firstModerator,
        locale: fixture.locale,
        ...('command' in order && { guild: FIRST, channel: 'general' }),
        ...order,
      }),
    // A line of the log follows each answer.
    async interact(order) {
      const isHandled = fixture.handles(1);
      const view = await app.interact(order);
      await isHandled();
      return fixture.reload(view.id);
    },
    handles(count) {
      const wanted = handled() + count;
      return async () => {
        await until(async () => handled() >= wanted);
      };
    },
    reload: (id) => app.control(`/discord/interactions/${id}`),
    whileDeleting(message, order) {
      beforeAnswer = () => app.control('/discord/removals', { message });
      return fixture.interact(order);
    },
    async withFaults(faults, use) {
      for (const fault of faults) await app.control('/faults', fault);
      try {
        return await use();
      } finally {
        await fetch(`${app.sandboxUrl}/control/faults`, { method: 'DELETE' });
      }
    },
    async takeRole(name) {
      const people = (first?.members ?? []).filter(({ username }) => [firstModerator, MEMBER].includes(username));
      const role = first?.roles.find((one) => one.name === name)?.id;
      for (const { id } of people) await app.remove(`/guilds/${first?.guild.id}/members/${id}/roles/${role}`);
    },
    async lacking(deny, use) {
      for (const channel of ['general', 'live']) await app.control('/discord/permissions', { channel, deny });
      try {
        return await use();
      } finally {
        for (const channel of ['general', 'live']) await app.control('/discord/permissions', { channel });
      }
    },
    async keep(use) {
      await using store = await openStore({ file });
      return await use(store);
    },
    async post(path, body) {
      const answer = await fetch(`${app.url}/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return answer.json();
    },
    get: async <T>(path: string) => (await (await fetch(`${app.url}/api/${path}`)).json()) as T, // what our own API answers
    async sentBy(work) {
      await newMessages();
      const before = cursor;
      await work();
      return until(async () => {
        const { items } = await app.control<{ items: readonly MessageView[] }>(`/messages?limit=1000&cursor=${before}`);
        return items.find(({ ephemeral }) => !ephemeral);
      });
    },
    async state() {
      const stored = Object.fromEntries(statements.map(([name, statement]) => [name, JSON.stringify(statement.all())]));
      const rows = fixture.watchesRoles ? { ...stored, roles: JSON.stringify(await rolesOf(firstModerator)) } : stored;
      return { rows, audit: audited.all().map(({ action }) => String(action)), messages: await newMessages() };
    },
    async quiet() {
      await until(async () => Number(open.get()?.['count']) === 0);
    },
    plain: (text) =>
      [...names]
        .reduce((shown, [id, name]) => shown.replaceAll(id, name), text)
        .replaceAll(/<\/([\w ]+):\d+>/gu, '/$1')
        .replaceAll(/<t:\d+(?::\w)?>/gu, '⟨time⟩')
        .replaceAll(/<#\d+>/gu, '#thread')
        .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gu, '⟨id⟩')
        .replaceAll(/\d+(?= (?:waiting posts|Posts warten))/gu, '⟨count⟩')
        .replaceAll(/\(\d+\/\d+\)/gu, '(⟨page⟩)')
        .replaceAll(/rule-[0-9a-f]{8}/gu, 'rule-⟨id⟩'),
    [Symbol.asyncDispose]: () => disposing.disposeAsync(),
  };
  const disposing = stack.move();
  return fixture;
}
