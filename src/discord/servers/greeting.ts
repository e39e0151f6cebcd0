import { ChannelType, type Guild, type GuildBasedChannel } from 'discord.js';
import type { NoticeStore, ServerStore } from '#src/admin/servers/server-store.ts';
import type { Log } from '#src/log.ts';
import { button } from '#src/discord/components.ts';
import { layout, row, textBlock, type Layout } from '#src/discord/layout.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { sendOnce } from './send-once.ts';
import { includesPermission, readServerState, type ServerState } from './server-state.ts';

const KEY = 'greeting';

interface GreetOptions {
  readonly stored: Pick<ServerStore, 'find'>;
  readonly notices: NoticeStore;
  readonly log: Log;
}

/** Sends the greeting to a new server, once: to its system channel, or to the first channel where the bot can write. */
export async function greet(guild: Guild, { stored, notices, log }: GreetOptions): Promise<void> {
  const { id: server, name, client, joinedAt } = guild;
  const known = (await notices.list(server)).find(({ key }) => key === KEY);
  if (known?.message !== undefined) return;
  const channel = await findChannel(guild, await readServerState(client.rest, { server, bot: client.user.id }));
  if (channel === undefined) {
    log.info({ server, name }, 'the bot joined a server without a channel where it can write: /setup works there');
    return;
  }
  // A server that returns is greeted again.
  const marker = `setup:start:${joinedAt.getTime()}`;
  const message = greeting(textsFor((await stored.find(server))?.language ?? guild.preferredLocale), marker);
  if (await sendOnce({ rest: client.rest, notices, server, key: KEY, channel, message, marker, shown: KEY }))
    log.info({ server, name, channel }, 'the bot joined a server');
}

async function findChannel(guild: Guild, state: ServerState): Promise<string | undefined> {
  const isText = (channel: GuildBasedChannel): boolean =>
    channel.type === ChannelType.GuildText || channel.type === ChannelType.GuildAnnouncement;
  const texts = [...guild.channels.cache.filter(isText).values()].toSorted((a, b) => positionOf(a) - positionOf(b)).map(({ id }) => id);
  const { systemChannelId } = guild;
  for (const id of new Set([...(systemChannelId === null ? [] : [systemChannelId]), ...texts])) {
    const bits = (await state.inChannel(id)) ?? 0n;
    if (includesPermission(bits, 'ViewChannel') && includesPermission(bits, 'SendMessages')) return id;
  }
  return undefined;
}

function positionOf(channel: GuildBasedChannel): number {
  return 'rawPosition' in channel ? channel.rawPosition : 0;
}

function greeting({ setup: { greeting: texts } }: Texts, start: string): Layout {
  return layout([
    textBlock(texts.title, texts.about, texts.who),
    row(button(start, texts.setUp, { style: 'primary' }), button('help:start', texts.help)),
  ]);
}
