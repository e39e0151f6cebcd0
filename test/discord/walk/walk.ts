import { vi } from 'vitest';
import { partsOf, type Act, type MemberAct } from './acts.ts';
import type { Shown } from './expected-cards.ts';
import { explains, isSameServer } from './expected-server.ts';
import { Members } from './members.ts';
import { channelOf, requestOf } from './request-of.ts';
import { cardsIn, checkServer, entryOf, invite, keyOf, shownAs, storedOf, type Server } from './server.ts';
import type { Town } from './town.ts';

let walks = 0;

/** Lives an evening in two servers. Throws at the first broken promise. Resolves with the number of cards. */
export async function walk(town: Town, acts: readonly Act[]): Promise<number> {
  const one = await Walk.begin(town, ++walks);
  for (const act of acts) await one.do(act);
  await one.end();
  return one.cards;
}

class Walk {
  readonly #town: Town;
  readonly #servers: readonly Server[];
  readonly #streamers: readonly string[];
  readonly #people: readonly string[];
  readonly #members: Members;
  /** The streamers by all names that they ever had. */
  readonly #streamersByHandle = new Map<string, string>();
  #streams = 0;

  private constructor(town: Town, servers: readonly Server[], streamers: readonly string[]) {
    this.#town = town;
    this.#servers = servers;
    this.#streamers = streamers;
    const [owner, moderator] = town.discord.people;
    this.#people = [owner, moderator];
    this.#members = new Members(town.discord, (streamer) => town.twitch.handles.get(streamer) ?? '');
    for (const streamer of streamers) this.#streamersByHandle.set(town.twitch.handles.get(streamer) ?? '', streamer);
  }

  static async begin(town: Town, number: number): Promise<Walk> {
    const streamers = ['ada', 'grace', 'linus'].map((name, index) => {
      const id = `${number}0${index}`;
      town.twitch.handles.set(id, `${name}${number}`);
      return id;
    });
    const servers = [await invite(town, `Club ${number}`), await invite(town, `Den ${number}`)];
    return new Walk(town, servers, streamers);
  }

  get cards(): number {
    return this.#servers.reduce((sum, { cards }) => sum + cards.all.length, 0);
  }

  async do(act: Act): Promise<void> {
    const { discord, twitch, clock } = this.#town;
    switch (act.kind) {
      case 'pass':
        for (let minute = 0; minute < act.minutes; minute++) await this.#passMinute();
        break;
      case 'start': {
        const streamer = this.#streamer(act.streamer);
        if (twitch.live.has(streamer)) break;
        twitch.live.set(streamer, { id: `s${++this.#streams}`, startedAt: new Date(clock.nowMs()), title: 'Chess', game: 'Chess' });
        break;
      }
      case 'end':
        twitch.live.delete(this.#streamer(act.streamer));
        break;
      case 'retitle': {
        const streamer = this.#streamer(act.streamer);
        const live = twitch.live.get(streamer);
        if (live) twitch.live.set(streamer, { ...live, title: `${live.title}!` });
        break;
      }
      case 'rename': {
        const streamer = this.#streamer(act.streamer);
        const handle = `${twitch.handles.get(streamer)}x`;
        twitch.handles.set(streamer, handle);
        this.#streamersByHandle.set(handle, streamer);
        break;
      }
      case 'deleteChannel': {
        const server = this.#server(act.server);
        const channel = channelOf(server, act.channel);
        // Members type their commands in the first channel.
        if (channel === undefined || !server.hasBot) break;
        await discord.order('/discord/removals', { guild: server.id, channel });
        server.deleted.add(channel);
        for (const card of server.cards.all) if (card.channel === channel) card.isDeleted = true;
        break;
      }
      case 'forbid':
      case 'allow': {
        const server = this.#server(act.server);
        const channel = channelOf(server, act.channel);
        if (channel === undefined) break;
        const deny = act.kind === 'forbid' ? ['SendMessages'] : [];
        await discord.order('/discord/permissions', { guild: server.id, channel, deny });
        if (act.kind === 'forbid') server.forbidden.add(channel);
        else server.forbidden.delete(channel);
        break;
      }
      case 'deleteCard': {
        const server = this.#server(act.server);
        const all = await cardsIn(server, this.#town, this.#streamersByHandle);
        const standing = all.filter(({ message }) => !message.deletedAt);
        const chosen = standing[act.number % Math.max(1, standing.length)];
        if (!chosen) break;
        await discord.order('/discord/removals', { message: chosen.message.id });
        const index = all.filter(({ key }) => key === chosen.key).indexOf(chosen);
        const card = server.cards.all.filter((one) => keyOf(one) === chosen.key)[index];
        if (card) card.isDeleted = true;
        break;
      }
      case 'kick':
      case 'invite': {
        const server = this.#server(act.server);
        const hasBot = act.kind === 'invite';
        if (server.hasBot === hasBot) break;
        await discord.order('/discord/guild', { guild: server.id, hasBot });
        server.hasBot = hasBot;
        await vi.waitFor(
          async () => {
            const stored = await this.#town.fanfare.store.servers.find(server.id);
            if ((stored?.leftAt === undefined) !== hasBot) throw new Error('Fanfare does not know it yet');
          },
          { timeout: 20_000, interval: 2 },
        );
        break;
      }
      case 'late':
      case 'regret':
        for (const one of partsOf(act)) await this.do(one);
        break;
      case 'announce': {
        const server = this.#server(act.server);
        const button = server.announcements.at(-1 - act.number);
        if (button && server.hasBot) await this.#announce(server, button);
        break;
      }
      case 'give': {
        const server = this.#server(act.server);
        const [member, role] = [server.members[act.member], server.liveRoles[act.role]];
        // The test makes the request of the administrator.
        if (!server.hasBot || !this.#town.isCalm || member === undefined || role === undefined) break;
        await discord.request('PUT', `/guilds/${server.id}/members/${member}/roles/${role}`);
        server.cards.roles.give(undefined, { member, role });
        break;
      }
      case 'hide': {
        const streamer = this.#streamer(act.streamer);
        const live = twitch.live.get(streamer);
        if (!live) break;
        twitch.live.delete(streamer);
        await this.do({ kind: 'pass', minutes: act.minutes });
        twitch.live.set(streamer, live);
        await this.do({ kind: 'pass', minutes: 1 });
        break;
      }
      case 'foreignUndo':
        await this.#undoElsewhere(act);
        break;
      case 'fail':
        this.#town.fail(act.fault, act.times);
        break;
      case 'restart':
        await this.#town.restart();
        break;
      case 'atOnce':
        await this.#atOnce(act.acts);
        break;
      default:
        await this.#atOnce([act]);
    }
    await this.#town.work();
    await this.#check();
  }

  async end(): Promise<void> {
    this.#town.calm();
    for (const streamer of this.#streamers) this.#town.twitch.live.delete(streamer);
    for (const [server] of this.#servers.entries()) await this.do({ kind: 'invite', server });
    await this.do({ kind: 'pass', minutes: 20 });
    for (const { cards } of this.#servers)
      for (const card of cards.all)
        if (!card.isDeleted && card.isClosed === false) throw new Error(`the test expects that ${keyOf(card)} is closed`);
    for (const [server] of this.#servers.entries()) await this.do({ kind: 'kick', server });
  }

  #server(number: number): Server {
    const server = this.#servers[number];
    if (!server) throw new Error(`there is no server ${number}`);
    return server;
  }

  #streamer(number: number): string {
    const streamer = this.#streamers[number];
    if (streamer === undefined) throw new Error(`there is no streamer ${number}`);
    return streamer;
  }

  /** Members act at the same moment in one server. Their answers and the result must be those of one order. */
  async #atOnce(acts: readonly MemberAct[]): Promise<void> {
    const [{ server: number } = { server: 0 }] = acts;
    const server = this.#server(number);
    if (!server.hasBot) return;
    const asked = acts.flatMap((act) => {
      const request = requestOf(act, server, { streamers: this.#streamers, handles: this.#town.twitch.handles });
      return request ? [{ request, name: this.#people[act.person] ?? '' }] : [];
    });
    const answers = await Promise.all(asked.map(({ request, name }) => this.#members.ask(request, { server: server.id, name })));
    const after = await storedOf(server, this.#town);
    const done = asked.flatMap(({ request }, index) => {
      const { answer } = answers[index] ?? {};
      return answer === undefined ? [] : [{ request, answer }];
    });
    const isOne = [done, done.toReversed()].some((order) => explains(server.expected, order, after));
    if (!isOne) {
      const log = { before: server.expected, asked: asked.map(({ request }) => request), answers, after };
      throw new Error(`no order explains the answers: ${shownAs(log)}`);
    }
    for (const [index, { undo, announce }] of answers.entries()) {
      const { request, name } = asked[index] ?? {};
      if (announce && request?.kind === 'follow' && name !== undefined)
        server.announcements.push({ ...announce, streamer: request.streamer, by: name });
      if (!undo || !request || name === undefined || !('streamer' in request)) continue;
      const { streamer } = request;
      const found = await this.#town.fanfare.store.lists.findChange(undo.customId.split(':')[2] ?? '');
      const [before, changed] = [Object.values(found?.before ?? {})[0], Object.values(found?.after ?? {})[0]];
      const change = {
        ...undo,
        by: name,
        streamer,
        before: before ? entryOf(before) : undefined,
        after: changed ? entryOf(changed) : undefined,
      };
      if (asked.length === 1 && (change.before !== undefined) !== server.expected.entries.has(streamer))
        throw new Error(`the change does not know what was before: ${shownAs(change)}`);
      server.changes.push(change);
    }
    server.expected = after;
    const [{ text } = { text: '' }] = answers.length === 1 ? answers : [];
    const [first] = asked;
    const entry = first && 'streamer' in first.request ? after.entries.get(first.request.streamer) : undefined;
    const named = /<#(\d+)>/u.exec(text)?.[1];
    if (entry && named !== undefined && named !== (entry.channel ?? after.channel))
      throw new Error(`the answer names another channel: ${text}`);
  }

  /** A member of another server presses a button of this server there. */
  async #undoElsewhere({ server: number, person, number: nth }: Extract<Act, { kind: 'foreignUndo' }>): Promise<void> {
    const [server, other] = [this.#server(number), this.#server(1 - number)];
    const change = other.changes[nth % Math.max(1, other.changes.length)];
    const [own] = server.changes.filter(({ by }) => by === this.#people[person]);
    if (!change || !own || !server.hasBot) return;
    const before = await storedOf(other, this.#town);
    const view = await this.#members.forge(own.message, change.customId, own.by);
    const text = JSON.stringify([view.message, view.followUps]);
    if (this.#streamers.some((streamer) => text.includes(this.#town.twitch.handles.get(streamer) ?? '?')))
      throw new Error(`another server is shown: ${text}`);
    if (!isSameServer(before, await storedOf(other, this.#town))) throw new Error('another server was changed');
  }

  /** A member wants a running stream to be announced now, which reads the platform. */
  async #announce(server: Server, { streamer, ...button }: Server['announcements'][number]): Promise<void> {
    await this.#town.reload();
    const { clock } = this.#town;
    // A slot that a member requests is later than the last one.
    await clock.advance(1_000);
    const isAnnounceable = server.cards.isAnnounceable(streamer, server.expected, this.#shown(server, clock.nowMs()));
    const answer = await this.#members.announce(button);
    // The entry of the button was removed. The same streamer may have another entry by now.
    if (answer === 'notFollowed') return;
    if ((answer === 'announced') !== isAnnounceable) throw new Error(`the announcement of ${streamer} is ${answer}`);
    if (answer !== 'notRequested')
      for (const one of this.#servers)
        one.cards.polled(one.expected, this.#shown(one, clock.nowMs()), one === server ? streamer : undefined);
  }

  async #passMinute(): Promise<void> {
    const { clock } = this.#town;
    for (const server of this.#servers) server.cards.polled(server.expected, this.#shown(server, clock.nowMs() + 60_000));
    await this.#town.passMinute();
  }

  /** What a poll at an instant shows to a server. */
  #shown({ hasBot, deleted, forbidden }: Server, nowMs: number): Shown {
    const { live } = this.#town.twitch;
    const isWritable = (channel: string): boolean => !deleted.has(channel) && !forbidden.has(channel);
    return { nowMs, hasBot, streamOf: (streamer) => live.get(streamer)?.id, isWritable };
  }

  async #check(): Promise<void> {
    for (const server of this.#servers) await checkServer(server, this.#town, this.#streamersByHandle);
  }
}
