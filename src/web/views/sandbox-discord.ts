import { ApiProblem } from '../client/client.ts';
import type { SandboxDiscord } from '../client/records.ts';
import { titleWith } from './addresses.ts';
import { html } from './html.ts';
import { useTexts } from './language.ts';
import { BotForm } from './parts/discord/bot-form.ts';
import { ChannelList, PersonForm } from './parts/discord/channel-list.ts';
import { Composer } from './parts/discord/composer.ts';
import { MessageRow } from './parts/discord/message-row.ts';
import { SeenContext } from './parts/discord/state.ts';
import { VIEW_PATHS } from './paths.ts';
import type { VNode } from './preact.mjs';
import { DISCORD_TEXTS } from './texts/discord.ts';
import type { BodyProps, Reader, View } from './view.ts';

/** An answer of the bot can come at any time, and ephemeral ones have no event. */
const REFRESH_MS = 5000;
/** While the bot works on an answer. */
const THINKING_MS = 1000;

export interface SandboxDiscordData {
  /** Absent: the reader has no right to it. */
  readonly seen?: SandboxDiscord | undefined;
  /** What is wrong with the address. */
  readonly problem?: string | undefined;
}

/** The simulated Discord: people use the bot as a member of its server. It exists on the sandbox only, for readers with the role `admin`. */
export const sandboxDiscord: View<SandboxDiscordData> = {
  path: VIEW_PATHS.sandboxDiscord,
  title: ({ data: { seen } }, language) => titleWith(DISCORD_TEXTS[language].title, [seen && `#${seen.channel.name}`]),
  refreshOn: ['messages'],
  refreshAfterMs: ({ seen }) => (seen?.messages.some(({ loading }) => loading) ? THINKING_MS : REFRESH_MS),
  async load(client, { query }, language) {
    const { as: user, server: guild, channel } = query;
    const locale = language === 'de' ? 'de' : 'en-US';
    try {
      return {
        seen: await client.call('getSandboxDiscord', {
          user: user || undefined,
          guild: guild || undefined,
          channel: channel || undefined,
          locale,
        }),
      };
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.problem.status === 403) return {};
      // People edit addresses, and channels disappear.
      if (error.problem.code !== 'sandboxRefused' && error.problem.code !== 'invalidParameter') throw error;
      return { seen: await client.call('getSandboxDiscord', { locale }), problem: error.message };
    }
  },
  Body,
};

function Body({ data: { seen, problem }, reader }: BodyProps<SandboxDiscordData>): VNode {
  const t = useTexts(DISCORD_TEXTS);
  return html`<div class="view discord-view">
    <h1>${t.title}</h1>
    <p class="muted">${seen ? t.intro : t.ofAdmins} <a href=${VIEW_PATHS.sandbox}>${t.back}</a></p>
    ${problem !== undefined && html`<p class="obstacle" role="status" lang="en">${problem}</p>`}
    ${seen && html`<${SeenContext.Provider} value=${seen}><${Channel} seen=${seen} reader=${reader} /><//>`}
  </div>`;
}

function Channel({ seen, reader }: { readonly seen: SandboxDiscord; readonly reader: Reader }): VNode {
  const t = useTexts(DISCORD_TEXTS);
  const { channel, messages } = seen;
  return html`<div class="discord">
    <${PersonForm} seen=${seen} />
    <div class="discord-server">
      <${ChannelList} seen=${seen} />
      <section class="channel" aria-labelledby="channel">
        <h2 class="channel-name" id="channel">
          <span aria-hidden="true">#</span> <bdi>${channel.name}</bdi>${channel.topic && html` <small><bdi>${channel.topic}</bdi></small>`}
        </h2>
        <div class="channel-scroll" tabindex="0" role="log" aria-relevant="additions" aria-label=${t.messagesIn(channel.name)}>
          <ol class="messages">
            ${messages.map((message, index) => html`<${MessageRow} key=${message.id} message=${message} before=${messages[index - 1]} reader=${reader} />`)}
          </ol>
          ${messages.length === 0 && html`<p class="muted padded">${t.empty}</p>`}
        </div>
        <${Composer} channel=${channel.name} mayWrite=${channel.mayWrite} />
      </section>
    </div>
    <${BotForm} />
  </div>`;
}
