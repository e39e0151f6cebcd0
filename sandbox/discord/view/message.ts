import { html } from 'hono/html';
import { compareIds, madeAtMs } from '../snowflake.ts';
import { Component } from '../messages/component.ts';
import { Embed, resolvePictures } from '../messages/parts.ts';
import { type Attachment, FLAGS, type Message, type Version, currentOf, hasFlag, shownOf } from '../messages/message.ts';
import { avatar } from './avatar.ts';
import { components, embedCard, picture } from './components.ts';
import { inline } from './inline.ts';
import { writtenAt } from './instant.ts';
import type { Html, Looker } from './looker.ts';
import { markdown } from './markdown.ts';

/** A message in its channel. `follows`: the message above is a recent one of the same author. */
export function messageRow(message: Message, looker: Looker, { follows }: { readonly follows: boolean }): Html {
  const { guild } = looker.discord;
  const author = guild.members.find(message.authorId);
  const ephemeral = hasFlag(message, FLAGS.Ephemeral);
  const head = html`<div class="head">
    <b style="color:${colorOf(message.authorId, looker)}">${author?.displayName ?? 'Deleted User'}</b>
    ${author?.bot && html`<span class="app">APP</span>`}
    <time>${writtenAt(madeAtMs(message.id), looker)}</time>
  </div>`;
  return html`<div
    class="message ${follows ? 'follows' : ''} ${ephemeral ? 'ephemeral' : ''} ${isPinged(message, looker) ? 'pinged' : ''}"
    id="m${message.id}"
  >
    ${above(message, looker)}
    <div class="line">
      <div class="side">${follows ? '' : avatar({ id: message.authorId, name: author?.displayName ?? '?' })}</div>
      <div class="content">${follows ? '' : head} ${bodyOf(message, looker)}</div>
    </div>
  </div>`;
}

function bodyOf(message: Message, looker: Looker): Html {
  if (hasFlag(message, FLAGS.Loading)) return html`<div class="thinking"><span>● ● ●</span> Fanfare is thinking…</div>`;
  const { content, embeds, components: wires, flags } = currentOf(message);
  const edited = shownOf(message).length > 1 ? html`<small class="edited">(edited)</small>` : '';
  const files = filesOf(message, looker);
  const address = (filename: string): string | undefined => files.find((file) => file.filename === filename)?.url;
  const resolved = {
    embeds: embeds.map((embed) => resolvePictures(embed, address)),
    wires: wires.map((wire) => resolvePictures(wire, address)),
  };
  const shown = JSON.stringify([embeds, wires]);
  return html`${content && html`<div class="text">${markdown(content, looker)}</div>`}${edited}
  ${flags & FLAGS.SuppressEmbeds ? '' : resolved.embeds.map((embed) => embedCard(Embed.parse(embed), looker))}
  ${files.filter(({ filename }) => !shown.includes(`attachment://${filename}`)).map(attachment)}
  ${components(
    resolved.wires.map((wire) => Component.parse(wire)),
    looker,
  )}
  ${reactionsOf(message)} ${threadOf(message, looker)}
  ${hasFlag(message, FLAGS.Crossposted) ? html`<div class="note">📣 Published</div>` : ''}
  ${hasFlag(message, FLAGS.Ephemeral) ? html`<div class="note">👁 Only you can see this • <a>Dismiss message</a></div>` : ''}`;
}

/** What a message answers: a reply's message, or the command that somebody used. */
function above({ replyTo, channelId, origin }: Message, looker: Looker): Html | '' {
  const { guild, messages } = looker.discord;
  if (replyTo !== undefined) {
    const replied = messages.standing(channelId, replyTo);
    if (!replied) return html`<div class="above"><i>Original message was deleted</i></div>`;
    return html`<div class="above">
      ${smallAvatar(replied.authorId, looker)}<b style="color:${colorOf(replied.authorId, looker)}"
        >${guild.members.find(replied.authorId)?.displayName}</b
      >
      <span class="excerpt">${excerpt(currentOf(replied), looker)}</span>
    </div>`;
  }
  if (origin?.commandName === undefined || origin.originalMessageId !== undefined) return '';
  return html`<div class="above">
    ${smallAvatar(origin.userId, looker)}<b style="color:${colorOf(origin.userId, looker)}"
      >${guild.members.find(origin.userId)?.displayName}</b
    >
    used <span class="mention">${origin.commandName}</span>
  </div>`;
}

function excerpt({ content, attachments, embeds }: Version, looker: Looker): Html | string {
  if (content !== '') return inline(content.replaceAll(/\s+/g, ' ').slice(0, 160), looker);
  return attachments.length + embeds.length > 0 ? html`<i>Click to see attachment 🖼</i>` : '';
}

function smallAvatar(id: string, { discord }: Looker): Html {
  return avatar({ id, name: discord.guild.members.find(id)?.displayName ?? '?' });
}

function filesOf({ channelId, ...message }: Message, { discord }: Looker) {
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

function threadOf({ threadId }: Message, looker: Looker): Html | '' {
  const thread = threadId === undefined ? undefined : looker.discord.guild.channels.find(threadId);
  if (!thread) return '';
  const written = [...looker.discord.messages.all()].filter(
    ({ channelId, deletedAt }) => channelId === thread.id && deletedAt === undefined,
  );
  const last = written.toSorted((a, b) => compareIds(b.id, a.id))[0];
  return html`<div class="thread">
    <b>${thread.name}</b> <a href="../view/${thread.id}">${written.length} Message${written.length === 1 ? '' : 's'} ›</a>
    <div class="note">${last ? inline(currentOf(last).content.slice(0, 120), looker) : 'There are no recent messages in this thread.'}</div>
  </div>`;
}

function isPinged(message: Message, { member }: Looker): boolean {
  const { mentions } = shownOf(message)[0] ?? currentOf(message);
  if (mentions.everyone) return true;
  return member !== undefined && (mentions.userIds.includes(member.userId) || mentions.roleIds.some((id) => member.roleIds.includes(id)));
}

/** That of somebody's highest role that has one. */
function colorOf(userId: string, { discord: { guild } }: Looker): string {
  const ids = guild.members.find(userId)?.roleIds ?? [];
  const color = guild.roles.findLast((role) => ids.includes(role.id) && role.color !== 0)?.color;
  return color === undefined ? '#f2f3f5' : `#${color.toString(16).padStart(6, '0')}`;
}
