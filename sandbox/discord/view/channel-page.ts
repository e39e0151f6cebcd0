import { html, raw } from 'hono/html';
import { readFileSync } from 'node:fs';
import { isForum, type Channel } from '../guild/channel.ts';
import type { Interaction } from '../interactions/interaction.ts';
import { FLAGS, type Message, currentOf, hasFlag } from '../messages/message.ts';
import { compareIds, madeAtMs } from '../snowflake.ts';
import { dayOf } from './instant.ts';
import { inline } from './inline.ts';
import type { Html, Looker } from './looker.ts';
import { messageRow } from './message.ts';
import { overlay } from './overlay.ts';

/** Messages of one author that are this close stand together. */
const TOGETHER_MS = 7 * 60_000;
const STYLE = readFileSync(new URL('./style.css', import.meta.url), 'utf8');

export interface ChannelPageOptions {
  readonly channel: Channel;
  readonly looker: Looker;
  /** How many messages are shown at the most. */
  readonly limit: number;
  /** The interaction whose modal or choices are open. */
  readonly opened: Interaction | undefined;
}

/** A channel as Discord shows it. */
export function channelPage({ channel, looker, limit, opened }: ChannelPageOptions): Html {
  const seen = standing(channel, looker).slice(-limit);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>#${channel.name}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <nav>
          <h1>${looker.discord.guild.name}</h1>
          ${channelList(channel, looker)} ${otherGuilds(looker)}
        </nav>
        <main>
          <header>
            <span class="hash">${iconOf(channel)}</span
            ><b>${channel.name}</b>${channel.topic && html`<span class="topic">${channel.topic}</span>`}
          </header>
          <section>${isForum(channel) ? forum(channel, looker) : rows(seen, looker)} ${opened ? overlay(opened, looker) : ''}</section>
          <div class="typing">Message ${channel.thread ? channel.name : `#${channel.name}`}</div>
        </main>
      </body>
    </html>`;
}

/** What of a channel its looker sees, oldest first. */
function standing(channel: Channel, { discord, member }: Looker): readonly Message[] {
  return [...discord.messages.all()]
    .filter((message) => message.channelId === channel.id && message.deletedAt === undefined)
    .filter((message) => !hasFlag(message, FLAGS.Ephemeral) || (member !== undefined && message.origin?.userId === member.userId))
    .toSorted((a, b) => compareIds(a.id, b.id));
}

function rows(messages: readonly Message[], looker: Looker): Html {
  return html`${messages.map((message, index) => {
    const before = messages[index - 1];
    const day = dayOf(madeAtMs(message.id), looker);
    const begins = before === undefined || dayOf(madeAtMs(before.id), looker) !== day;
    const row = messageRow(message, looker, { follows: !begins && follows(message, before) });
    return begins
      ? html`<div class="day"><span>${day}</span></div>
          ${row}`
      : row;
  })}`;
}

function follows(message: Message, before: Message): boolean {
  const isAnswer =
    message.replyTo !== undefined || (message.origin?.commandName !== undefined && message.origin.originalMessageId === undefined);
  const alike = hasFlag(message, FLAGS.Ephemeral) === hasFlag(before, FLAGS.Ephemeral);
  return !isAnswer && alike && message.authorId === before.authorId && madeAtMs(message.id) - madeAtMs(before.id) < TOGETHER_MS;
}

function channelList(current: Channel, { discord: { guild } }: Looker): Html {
  const all = guild.channels.all();
  const item = (channel: Channel): Html =>
    html`<a class="${channel.id === current.id ? 'current' : ''} ${channel.thread ? 'below' : ''}" href="../view/${channel.id}">
      <span class="hash">${channel.thread ? '└' : iconOf(channel)}</span>${channel.name}
    </a>`;
  return html`${all
    .filter(({ thread }) => !thread)
    .map((channel) => html`${item(channel)}${all.filter(({ thread }) => thread?.parentId === channel.id).map(item)}`)}`;
}

/** The other guilds that the bot is in. */
function otherGuilds({ discord: { guild, guilds } }: Looker): Html {
  const others = guilds.all.filter((each) => each !== guild && !each.invitesBot);
  return html`${others.map(({ name, channels }) => {
    const [first] = channels.all();
    return first ? html`<a class="guild" href="../view/${first.id}">${name}</a>` : '';
  })}`;
}

/** The posts of a forum, newest first. */
function forum(channel: Channel, looker: Looker): Html {
  const { guild } = looker.discord;
  const threads = guild.channels.all().filter(({ thread }) => thread?.parentId === channel.id);
  return html`${threads
    .toSorted((a, b) => compareIds(b.id, a.id))
    .map((thread) => {
      const written = standing(thread, looker);
      const first = written[0];
      return html`<a class="post" href="../view/${thread.id}">
        <b>${thread.name}</b>
        <div>
          ${first && html`<b>${guild.members.find(first.authorId)?.displayName}:</b> ${inline(currentOf(first).content.slice(0, 200), looker)}`}
        </div>
        <small>💬 ${written.length}</small>
      </a>`;
    })}`;
}

function iconOf({ kind, thread }: Channel): string {
  if (thread) return '🧵';
  return { text: '#', news: '📢', forum: '🗨', media: '🖼', voice: '🔊' }[kind];
}
