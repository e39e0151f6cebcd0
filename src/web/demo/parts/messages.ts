import { html } from '../../page/inline/html.ts';
import type { Message } from '#src/clients/chat/records.ts';
import { avatar, type Html, instant } from '../../page/inline/elements.ts';
import { embedCard } from './embed.ts';
import { belowMessage } from './below-message.ts';
import { markdown } from '../../page/inline/markdown.ts';
import type { Language } from '../../language.ts';
import { empty } from '../panel.ts';
import { DEMO_TEXTS } from '../texts.ts';

/** Messages of one author within this time share one name, as in Discord. */
const TOGETHER_MS = 7 * 60_000;

/** The channels as in Discord, with the last `shown` messages of each, newest last. */
export function channels(messages: readonly Message[], { shown, language }: { readonly shown: number; readonly language: Language }): Html {
  if (messages.length === 0) return empty(DEMO_TEXTS[language].panels.messages.empty);
  const byChannel = Map.groupBy(messages, (message) => message.channel.id);
  const named = [...byChannel].toSorted(([, [a]], [, [b]]) => (a?.channel.name ?? '').localeCompare(b?.channel.name ?? '', 'en'));
  return html`${named.map(([id, newestFirst]) => channel(id, newestFirst.slice(0, shown).toReversed(), language))}`;
}

function channel(id: string, messages: readonly Message[], language: Language): Html {
  const t = DEMO_TEXTS[language];
  const name = messages[0]?.channel.name ?? id;
  return html`<section class="channel" data-key="channel:${id}" aria-label="${t.channel(name)}">
    <h3 class="channel-name"><span aria-hidden="true">#</span> <bdi>${name}</bdi></h3>
    <div class="channel-scroll" tabindex="0" role="group" aria-label="${t.messagesIn(name)}">
      <ol class="messages">
        ${messages.map((message, index) => entry(message, messages[index - 1], language))}
      </ol>
    </div>
  </section>`;
}

function entry(message: Message, before: Message | undefined, language: Language): Html {
  const t = DEMO_TEXTS[language];
  const { author, content, embeds, createdAt, editedAt } = message;
  const follows = before?.author.id === author.id && createdAt.getTime() - before.createdAt.getTime() < TOGETHER_MS;
  const edited = editedAt ? html` <span class="edited">${t.edited}</span>` : '';
  return html`<li
    class="message ${follows ? 'follows' : ''}"
    data-key="${message.id}"
    data-say="${t.newMessage(message.channel.name)} ${toSpeech(message)}"
  >
    ${follows ? '' : avatar({ id: author.id, name: author.displayName })}
    <article>
      ${follows ? '' : html`<p class="byline"><bdi class="name">${author.displayName}</bdi> <span class="when">${instant(createdAt, language)}</span></p>`}
      ${content === '' ? '' : html`<p class="text" dir="auto">${markdown(content)}${edited}</p>`} ${embeds.map((embed) => embedCard(embed))}
      ${belowMessage(message, language)} ${content === '' && editedAt ? html`<p class="text">${edited}</p>` : ''}
    </article>
  </li>`;
}

function toSpeech({ content, embeds }: Message): string {
  return [content, ...embeds.map(({ title }) => title ?? '')].filter((part) => part !== '').join(', ');
}
