import { PermissionsBitField, Routes, type Client, type Guild, type REST } from 'discord.js';
import { knownBy, may, type Member } from '../access/abilities.ts';
import { serverOf, type Asker, type AskerOptions } from '../asker.ts';
import { wordsFor } from '../language/languages.ts';
import { explain, isExplained, reasonOf } from '../refusal.ts';
import { oneLine } from '../text/foreign-text.ts';
import { replyPage } from './page.ts';
import { placeOf, pointOf, spotOf, type Spot } from './places.ts';
import { TooManyQuestions } from './quota.ts';
import { readMessage, type ReceivedMessage } from './received-message.ts';
import type { Talk, TalkOptions } from './talk.ts';
import { threadRow } from './thread.ts';

/** Discord shows that somebody writes for ten seconds. */
const TYPING_MS = 8_000;
/** Who asks on and on where they may not is told so this often. */
const TOLD_AGAIN_MS = 60_000;
const MOST_TOLD = 1_000;

export interface ListenOptions extends AskerOptions, Pick<TalkOptions, 'places' | 'clock' | 'log'> {
  readonly talk: Talk;
}

/** Takes what the gateway tells of a message. Never rejects. */
export type Listener = (data: unknown, client: Client<true>) => Promise<void>;

/** Goes on with conversations where somebody replies to an answer, writes in a thread that grew from one, or names the bot first of all. */
export function listen(options: ListenOptions): Listener {
  const { servers, settings, places, talk, clock, log, signal } = options;
  const toldUntilMs = new Map<string, number>();

  /** Whether somebody is to be told now why they get no answer. */
  function isToldNow(person: string, untilMs: number): boolean {
    const nowMs = clock.nowMs();
    if ((toldUntilMs.get(person) ?? -Infinity) > nowMs) return false;
    toldUntilMs.delete(person);
    toldUntilMs.set(person, untilMs);
    const [oldest] = toldUntilMs.keys();
    if (toldUntilMs.size > MOST_TOLD && oldest !== undefined) toldUntilMs.delete(oldest);
    return true;
  }

  async function answer(message: ReceivedMessage, spot: Spot, client: Client<true>): Promise<void> {
    const { id, channel, author, text, replyTo } = message;
    const { rest } = client;
    const asker = askerOf(message, client.guilds.cache.get(message.server), options);
    const page = replyPage(rest, { channel, message: id });
    const by = `${oneLine(author.name, 80)} (${author.id})`;
    const use = { by, ...(asker.server && { in: asker.server.account }) };
    if (!asker.may('ask')) {
      log.info({ ...use, outcome: 'refused' }, 'message to the assistant');
      if (isToldNow(author.id, clock.nowMs() + TOLD_AGAIN_MS)) await page.add({ content: `-# ${asker.words.errors.notAllowed}` });
      return;
    }
    const typing = typeUntil(rest, channel, options);
    try {
      await talk.answer({
        id,
        text,
        asker,
        channel,
        page,
        isPrivate: false,
        from: () => pointOf(places, { ...spot, replyTo }),
        place: placeOf(spot),
        rows: () => (spot.isThread ? undefined : [threadRow(asker.publicWords)]),
        onBegun: typing.stop,
      });
      log.info({ ...use, outcome: 'done' }, 'message to the assistant');
    } catch (error) {
      typing.stop();
      const reason = signal.aborted ? undefined : reasonOf(error);
      const outcome = signal.aborted ? 'broken off' : 'failed';
      log.info({ ...use, outcome, ...(reason !== undefined && { reason }) }, 'message to the assistant');
      if (!signal.aborted && !isExplained(error)) log.error({ error }, 'a message could not be answered');
      const untilMs = error instanceof TooManyQuestions ? (error.freeAtMs ?? clock.nowMs() + TOLD_AGAIN_MS) : 0;
      if (!isToldNow(author.id, untilMs)) return;
      await page.add({ content: `-# ${signal.aborted ? asker.words.errors.restarting : explain(error, asker.words)}` });
    } finally {
      typing.stop();
    }
  }

  return async (data, client) => {
    try {
      const message = readMessage(data, client.user.id);
      if (!message || message.text === '' || !serverOf(message.server, servers, settings.zone)) return;
      const { channel, author, isAddressed, replyTo } = message;
      const spot = await spotOf(places, { channel, person: author.id, isPrivate: false });
      const isReply = replyTo !== undefined && (await places.findMessage(replyTo)) !== undefined;
      if (!spot.isThread && !isReply && !isAddressed) return;
      await answer(message, spot, client);
    } catch (error) {
      log.warn({ error }, 'Discord did not take an answer to a message');
    }
  };
}

function askerOf({ server: id, author }: ReceivedMessage, guild: Guild | undefined, options: AskerOptions): Asker {
  const { servers, settings, signal } = options;
  const server = serverOf(id, servers, settings.zone);
  const member = guild && memberOf(author, guild);
  const locale = guild?.preferredLocale ?? 'en-US';
  return {
    id: author.id,
    name: author.name,
    server,
    words: wordsFor(locale),
    publicWords: wordsFor(locale),
    locale,
    zone: server?.zone ?? settings.zone,
    may: (ability) => server !== undefined && may(ability, member, settings),
    signal,
  };
}

/** A message tells the roles of its author; what they may in the server follows from these. */
function memberOf({ id, roles: ids }: ReceivedMessage['author'], guild: Guild): Member {
  const roles = [guild.id, ...ids].flatMap((role) => guild.roles.cache.get(role) ?? []);
  const all = id === guild.ownerId ? [PermissionsBitField.All] : roles.map(({ permissions }) => permissions.bitfield);
  const names = roles.map(({ name }) => name);
  return { permissions: new PermissionsBitField(all), roles: knownBy(ids, names) };
}

/** Shows that somebody is at it. */
function typeUntil(rest: REST, channel: string, { clock, signal }: Pick<ListenOptions, 'clock' | 'signal'>): { readonly stop: () => void } {
  const stopping = new AbortController();
  const over = AbortSignal.any([signal, stopping.signal]);
  async function type(): Promise<void> {
    for (;;) {
      await rest.post(Routes.channelTyping(channel), { signal: over });
      await clock.sleep(TYPING_MS, over);
    }
  }
  // It is a courtesy: where it does not work, the answer comes all the same.
  type().catch(() => undefined);
  return { stop: () => stopping.abort() };
}
