import { embedCard } from '../../../demo/parts/embed.ts';
import type { SandboxDiscord } from '../../../client/records.ts';
import { avatar } from '../../../page/inline/elements.ts';
import { addressWith } from '../../addresses.ts';
import { html } from '../../html.ts';
import { useTexts } from '../../language.ts';
import { VIEW_PATHS } from '../../paths.ts';
import { useContext, useState, type VNode } from '../../preact.mjs';
import { DISCORD_TEXTS } from '../../texts/discord.ts';
import type { Reader } from '../../view.ts';
import { TimeSince } from '../time.ts';
import { Components, FileLink, Media } from './components.ts';
import { InlineText, Markup, RichText, useMentions } from './rich-text.ts';
import { pressedMessage, SeenContext } from './state.ts';

type Message = SandboxDiscord['messages'][number];

const PICTURE = /\.(?:png|jpe?g|gif|webp)$/iu;
/** Messages of one author within this time share one name, as in Discord. */
const TOGETHER_MS = 7 * 60_000;

interface MessageRowProps {
  readonly message: Message;
  readonly before: Message | undefined;
  readonly reader: Reader;
}

/** A message of a channel as the member sees it. */
export function MessageRow({ message, before, reader }: MessageRowProps): VNode {
  const t = useTexts(DISCORD_TEXTS);
  const { id, author, at, content, edited, ephemeral, loading, embeds, components, files, reactions } = message;
  const isFollowing = follows(message, before);
  const isQuiet = useIsEdited(message) && pressedMessage.value !== id;
  return html`<li
    class=${`message ${isFollowing ? 'follows' : ''} ${ephemeral ? 'ephemeral' : ''}`}
    id=${`m${id}`}
    tabindex="-1"
    aria-live=${isQuiet ? 'off' : undefined}
  >
    ${!isFollowing && html`<${Markup} class="face" markup=${avatar(author)} />`}
    <article>
      <${Above} message=${message} />
      ${
        !isFollowing &&
        html`<p class="byline">
          <bdi class="name">${author.name}</bdi>${author.bot && html` <span class="app">${t.app}</span>`}${' '}
          <span class="when"><${TimeSince} at=${at} /></span>
        </p>`
      }
      ${loading && html`<p class="thinking">${t.thinking(author.name)}</p>`} ${content !== '' && html`<${RichText} text=${content} />`}
      ${edited && html`<span class="edited">${t.edited}</span>`}
      ${embeds.map((embed, index) => html`<${Card} key=${index} embed=${embed} reader=${reader} />`)}
      ${files.map(({ name, url }) =>
        PICTURE.test(name)
          ? html`<${Media} key=${url} url=${url} description=${name} reader=${reader} />`
          : html`<${FileLink} key=${url} name=${name} url=${url} reader=${reader} />`,
      )}
      ${components.length > 0 && html`<${Components} components=${components} message=${id} reader=${reader} />`}
      ${
        reactions.length > 0 &&
        html`<ul class="reactions" aria-label=${t.reactions}>
          ${reactions.map(({ emoji, count }) => html`<li key=${emoji}><bdi>${emoji}</bdi> ${count}</li>`)}
        </ul>`
      }
      ${message.thread && html`<${Thread} thread=${message.thread} />`} ${ephemeral && html`<p class="note">${t.onlyYou}</p>`}
    </article>
    ${!loading && html`<${Menu} message=${message} />`}
  </li>`;
}

/**
 * Whether a message changed since it was shown first. A screen reader would read an edited card again each time, because its elements are new. The
 * answer for which the member waits counts as the first version.
 */
function useIsEdited(message: Message): boolean {
  const shown = JSON.stringify(message);
  const [first, setFirst] = useState({ shown, loading: message.loading });
  if (first.loading && !message.loading) setFirst({ shown, loading: false });
  return !first.loading && first.shown !== shown;
}

function follows(message: Message, before: Message | undefined): boolean {
  const isAnswer = message.command !== undefined || message.reply !== undefined;
  if (isAnswer || before?.author.id !== message.author.id || before.ephemeral !== message.ephemeral) return false;
  return before.author.name === message.author.name && Date.parse(message.at) - Date.parse(before.at) < TOGETHER_MS;
}

/** The command or the message that a message answers. */
function Above({ message: { command, reply } }: { readonly message: Message }): VNode | false {
  const t = useTexts(DISCORD_TEXTS);
  if (command) return html`<p class="above"><bdi>${command.by}</bdi> ${t.used} <span class="mention">/${command.name}</span></p>`;
  if (reply)
    return html`<p class="above">
      ↱ ${reply.author === undefined ? t.deleted : html`<bdi>${reply.author}</bdi> <${InlineText} text=${reply.text ?? ''} />`}
    </p>`;
  return false;
}

function Card({ embed, reader: { sandboxOrigin } }: { readonly embed: Message['embeds'][number]; readonly reader: Reader }): VNode {
  return html`<${Markup} class="card" markup=${embedCard(embed, useMentions())} sandboxOrigin=${sandboxOrigin} />`;
}

function Thread({ thread: { id, name } }: { readonly thread: { readonly id: string; readonly name: string } }): VNode {
  const t = useTexts(DISCORD_TEXTS);
  const seen = useContext(SeenContext);
  const address = addressWith(VIEW_PATHS.sandboxDiscord, { as: seen?.member.username, channel: id });
  return html`<p class="thread">
    ${t.thread} <a href=${address}><bdi>${name}</bdi></a>
  </p>`;
}

/** The commands of the bot for a message. */
function Menu({ message: { id } }: { readonly message: Message }): VNode | false {
  const t = useTexts(DISCORD_TEXTS);
  const { menus = [] } = useContext(SeenContext) ?? {};
  if (menus.length === 0) return false;
  return html`<details class="message-menu scripted">
    <summary aria-label=${t.menu} title=${t.menu}>⋯</summary>
    <div>${menus.map((menu) => html`<button key=${menu} type="button" data-entry=${menu} data-message=${id}>${menu}</button>`)}</div>
  </details>`;
}
