import { html } from 'hono/html';
import { avatar, type Html } from '#src/web/page/inline/elements.ts';
import { compareIds, madeAtMs } from '../snowflake.ts';
import { Component } from '../messages/component.ts';
import { Embed, resolvePictures } from '../messages/parts.ts';
import {
  type Attachment,
  FLAGS,
  type Message,
  type Version,
  currentOf,
  filesBelow,
  readableContent,
  hasFlag,
  shownOf,
} from '../messages/message.ts';
import { components, embedCard, picture } from './components.ts';
import { hexColor, type PageContext, timeOfMessage } from './context.ts';
import { inline, markdown } from './markdown.ts';

/** A message of a channel. `follows`: it continues the messages of the same author. */
export function messageRow(message: Message, context: PageContext, { follows }: { readonly follows: boolean }): Html {
  const { guild } = context.discord;
  const author = message.sender ? { displayName: message.sender.name, bot: true } : guild.members.find(message.authorId);
  const ephemeral = hasFlag(message, FLAGS.Ephemeral);
  const head = html`<div class="head">
    <b style="color:${colorOf(message.authorId, context)}">${author?.displayName ?? 'Deleted User'}</b>
    ${author?.bot && html`<span class="app">APP</span>`}
    <time>${timeOfMessage(madeAtMs(message.id), context)}</time>
  </div>`;
  return html`<div
    class="message ${follows ? 'follows' : ''} ${ephemeral ? 'ephemeral' : ''} ${isPinged(message, context) ? 'pinged' : ''}"
    id="m${message.id}"
  >
    ${above(message, context)}
    <div class="line">
      <div class="side">
        ${follows ? '' : message.sender?.avatar ? picture(message.sender.avatar, 'icon') : avatar({ id: message.authorId, name: author?.displayName ?? '?' })}
      </div>
      <div class="content">${follows ? '' : head} ${bodyOf(message, context)}</div>
    </div>
  </div>`;
}

function bodyOf(message: Message, context: PageContext): Html {
  if (hasFlag(message, FLAGS.Loading)) return html`<div class="thinking"><span>● ● ●</span> Fanfare is thinking…</div>`;
  const version = currentOf(message);
  const { embeds, components: wires, flags } = version;
  const content = readableContent(message);
  const edited = shownOf(message).length > 1 ? html`<small class="edited">(edited)</small>` : '';
  const files = filesOf(message, context);
  const address = (filename: string): string | undefined => files.find((file) => file.filename === filename)?.url;
  const resolved = {
    embeds: embeds.map((embed) => resolvePictures(embed, address)),
    wires: wires.map((wire) => resolvePictures(wire, address)),
  };
  const below = new Set(filesBelow(version).map(({ id }) => id));
  return html`${content && html`<div class="text">${markdown(content, context)}</div>`}${edited}
  ${flags & FLAGS.SuppressEmbeds ? '' : resolved.embeds.map((embed) => embedCard(Embed.parse(embed), context))}
  ${files.filter(({ id }) => below.has(id)).map(attachment)}
  ${components(
    resolved.wires.map((wire) => Component.parse(wire)),
    context,
  )}
  ${reactionsOf(message)} ${threadOf(message, context)}
  ${hasFlag(message, FLAGS.Crossposted) ? html`<div class="note">📣 Published</div>` : ''}
  ${hasFlag(message, FLAGS.Ephemeral) ? html`<div class="note">👁 Only you can see this • <a>Dismiss message</a></div>` : ''}`;
}

/** The message or the command that a message answers. */
function above({ replyTo, channelId, origin }: Message, context: PageContext): Html | '' {
  const { guild, messages } = context.discord;
  if (replyTo !== undefined) {
    const replied = messages.existing(channelId, replyTo);
    if (!replied) return html`<div class="above"><i>Original message was deleted</i></div>`;
    return html`<div class="above">
      ${smallAvatar(replied.authorId, context)}<b style="color:${colorOf(replied.authorId, context)}"
        >${guild.members.find(replied.authorId)?.displayName}</b
      >
      <span class="excerpt">${excerpt(currentOf(replied), context)}</span>
    </div>`;
  }
  if (origin?.commandName === undefined || origin.originalMessageId !== undefined) return '';
  return html`<div class="above">
    ${smallAvatar(origin.userId, context)}<b style="color:${colorOf(origin.userId, context)}"
      >${guild.members.find(origin.userId)?.displayName}</b
    >
    used <span class="mention">${origin.commandName}</span>
  </div>`;
}

function excerpt({ content, attachments, embeds }: Version, context: PageContext): Html | string {
  if (content !== '') return inline(content.replaceAll(/\s+/g, ' ').slice(0, 160), context);
  return attachments.length + embeds.length > 0 ? html`<i>Click to see attachment 🖼</i>` : '';
}

function smallAvatar(id: string, { discord }: PageContext): Html {
  return avatar({ id, name: discord.guild.members.find(id)?.displayName ?? '?' });
}

function filesOf({ channelId, ...message }: Message, { discord }: PageContext) {
  return currentOf({ channelId, ...message }).attachments.map((file) => ({
    ...file,
    url: `${discord.context.url()}/discord/cdn/attachments/${channelId}/${file.id}/${file.filename}`,
  }));
}

function attachment({ filename, sizeBytes, contentType, description, url }: Attachment & { readonly url: string }): Html {
  if (contentType?.startsWith('image/')) return html`<div title="${description ?? ''}">${picture(url, 'attachment')}</div>`;
  return html`<div class="file">
    <span>📄</span>
    <div>
      <a href="${url}">${filename}</a><small>${sizeBytes < 1000 ? `${sizeBytes} bytes` : `${(sizeBytes / 1000).toFixed(2)} KB`}</small>
    </div>
  </div>`;
}

function reactionsOf({ reactions }: Message): Html | '' {
  if (reactions.length === 0) return '';
  return html`<div class="reactions">
    ${reactions.map(({ emojiId, emojiName, userIds }) => html`<span>${emojiId === undefined ? emojiName : `:${emojiName}:`} ${userIds.length}</span>`)}
  </div>`;
}

function threadOf({ threadId }: Message, context: PageContext): Html | '' {
  const thread = threadId === undefined ? undefined : context.discord.guild.channels.find(threadId);
  if (!thread) return '';
  const written = [...context.discord.messages.all()].filter(
    ({ channelId, deletedAt }) => channelId === thread.id && deletedAt === undefined,
  );
  const last = written.toSorted((a, b) => compareIds(b.id, a.id))[0];
  return html`<div class="thread">
    <b>${thread.name}</b> <a href="../view/${thread.id}">${written.length} Message${written.length === 1 ? '' : 's'} ›</a>
    <div class="note">
      ${last ? inline(currentOf(last).content.slice(0, 120), context) : 'There are no recent messages in this thread.'}
    </div>
  </div>`;
}

function isPinged(message: Message, { member }: PageContext): boolean {
  const { mentions } = shownOf(message)[0] ?? currentOf(message);
  if (mentions.everyone) return true;
  return member !== undefined && (mentions.userIds.includes(member.userId) || mentions.roleIds.some((id) => member.roleIds.includes(id)));
}

/** The color of the highest role with a color. */
function colorOf(userId: string, { discord: { guild } }: PageContext): string {
  const ids = guild.members.find(userId)?.roleIds ?? [];
  const color = guild.roles.findLast((role) => ids.includes(role.id) && role.color !== 0)?.color;
  return color === undefined ? '#f2f3f5' : hexColor(color);
}
