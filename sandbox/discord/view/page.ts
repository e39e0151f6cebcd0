import { html, raw } from 'hono/html';
import { readFileSync } from 'node:fs';
import { isForum, type Channel } from '../guild/channel.ts';
import { FLAGS, type Message, currentOf, hasFlag } from '../messages/message.ts';
import { isSeen } from '../control/seen-message.ts';
import { compareIds, madeAtMs } from '../snowflake.ts';
import type { Html } from '#src/web/page/inline/elements.ts';
import { formatTime, type PageContext } from './context.ts';
import { inline } from './markdown.ts';
import { messageRow } from './message.ts';

/** Messages of one author within this time share a heading. */
const GROUP_MS = 7 * 60_000;
const STYLE = readFileSync(new URL('./style.css', import.meta.url), 'utf8');

/** A page that shows the last `limit` messages of a channel like Discord. */
export function channelPage(channel: Channel, context: PageContext, limit: number): Html {
  const visible = visibleMessages(channel, context).slice(-limit);
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
          <h1>${context.discord.guild.name}</h1>
          ${channelList(channel, context)} ${otherGuilds(context)}
          <form method="post" action="../view/servers"><button>Invite the bot to a new server</button></form>
        </nav>
        <main>
          <header>
            <span class="hash">${iconOf(channel)}</span
            ><b>${channel.name}</b>${channel.topic && html`<span class="topic">${channel.topic}</span>`}
          </header>
          <section>${isForum(channel) ? forum(channel, context) : rows(visible, context)}</section>
          <footer>
            This page only shows the channel: reload it for newer messages. To write and to press buttons, open Sandbox on the page of
            Fanfare.
          </footer>
        </main>
      </body>
    </html>`;
}

/** The messages that the member can see, oldest first. */
function visibleMessages(channel: Channel, { discord, member }: PageContext): readonly Message[] {
  return [...discord.messages.all()]
    .filter((message) => message.channelId === channel.id && isSeen(message, member))
    .toSorted((a, b) => compareIds(a.id, b.id));
}

function rows(messages: readonly Message[], context: PageContext): Html {
  if (messages.length === 0) return html`<p class="none">No messages yet.</p>`;
  return html`${messages.map((message, index) => {
    const before = messages[index - 1];
    const day = formatTime(madeAtMs(message.id), 'D', context);
    const begins = before === undefined || formatTime(madeAtMs(before.id), 'D', context) !== day;
    const row = messageRow(message, context, { follows: !begins && follows(message, before) });
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
  return (
    !isAnswer &&
    alike &&
    message.authorId === before.authorId &&
    message.sender?.name === before.sender?.name &&
    madeAtMs(message.id) - madeAtMs(before.id) < GROUP_MS
  );
}

function channelList(current: Channel, { discord: { guild } }: PageContext): Html {
  const all = guild.channels.all();
  const item = (channel: Channel): Html =>
    html`<a
      class="${channel.thread ? 'below' : ''}"
      href="../view/${channel.id}"
      ${channel.id === current.id && raw('aria-current="page"')}
    >
      <span class="hash">${channel.thread ? '└' : iconOf(channel)}</span>${channel.name}
    </a>`;
  return html`${all
    .filter(({ thread }) => !thread)
    .map((channel) => html`${item(channel)}${all.filter(({ thread }) => thread?.parentId === channel.id).map(item)}`)}`;
}

/** The other guilds that the bot is in. */
function otherGuilds({ discord: { guild, guilds } }: PageContext): Html {
  const others = guilds.all.filter((each) => each !== guild && !each.invitesBot);
  return html`${others.map(({ name, channels }) => {
    const [first] = channels.all();
    return first ? html`<a class="guild" href="../view/${first.id}">${name}</a>` : '';
  })}`;
}

/** The posts of a forum, newest first. */
function forum(channel: Channel, context: PageContext): Html {
  const { guild } = context.discord;
  const threads = guild.channels.all().filter(({ thread }) => thread?.parentId === channel.id);
  return html`${threads
    .toSorted((a, b) => compareIds(b.id, a.id))
    .map((thread) => {
      const written = visibleMessages(thread, context);
      const first = written[0];
      return html`<a class="post" href="../view/${thread.id}">
        <b>${thread.name}</b>
        <div>
          ${first && html`<b>${guild.members.find(first.authorId)?.displayName}:</b> ${inline(currentOf(first).content.slice(0, 200), context)}`}
        </div>
        <small>💬 ${written.length}</small>
      </a>`;
    })}`;
}

function iconOf({ kind, thread }: Channel): string {
  if (thread) return '🧵';
  return { text: '#', news: '📢', forum: '🗨', media: '🖼', voice: '🔊' }[kind];
}
