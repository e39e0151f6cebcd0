import type { SandboxDiscord } from '../../../client/records.ts';
import { addressWith } from '../../addresses.ts';
import { html } from '../../html.ts';
import { useTexts } from '../../language.ts';
import { VIEW_PATHS } from '../../paths.ts';
import type { VNode } from '../../preact.mjs';
import { DISCORD_TEXTS } from '../../texts/discord.ts';

const SIGNS = { text: '#', news: '📢', forum: '🗨', media: '🖼', voice: '🔊' } as const;

/** The channels and threads that the member sees. */
export function ChannelList({ seen: { channels, channel: current, member } }: { readonly seen: SandboxDiscord }): VNode {
  const t = useTexts(DISCORD_TEXTS);
  const isTop = ({ parent }: SandboxDiscord['channels'][number]): boolean => parent === undefined;
  const ordered = channels.filter(isTop).flatMap((channel) => [channel, ...channels.filter(({ parent }) => parent === channel.id)]);
  return html`<nav class="channels" aria-label=${t.channels}>
    ${ordered.map(
      ({ id, name, kind, parent }) =>
        html`<a
          key=${id}
          class=${parent === undefined ? '' : 'below'}
          href=${addressWith(VIEW_PATHS.sandboxDiscord, { as: member.username, channel: id })}
          aria-current=${id === current.id ? 'true' : undefined}
          ><span aria-hidden="true">${parent === undefined ? SIGNS[kind] : '└'}</span> <bdi>${name}</bdi></a
        >`,
    )}
  </nav>`;
}

/** Whom the reader acts as, and in which server. */
export function PersonForm({ seen: { members, member, guilds, guild } }: { readonly seen: SandboxDiscord }): VNode {
  const t = useTexts(DISCORD_TEXTS);
  const people = members.filter(({ bot }) => !bot);
  return html`<form class="filters person-form" action=${VIEW_PATHS.sandboxDiscord}>
    <label
      >${t.actAs}
      <select name="as" key=${member.id}>
        ${people.map(
          ({ id, username, displayName, owner, roles }) =>
            html`<option key=${id} value=${username} selected=${id === member.id}>
              ${displayName} (${owner ? t.owner : roles.length > 0 ? t.moderator : t.member})
            </option>`,
        )}
      </select>
    </label>
    ${
      guilds.length > 1 &&
      html`<label
        >${t.server}
        <select name="server" key=${guild.id}>
          ${guilds.map(({ id, name }) => html`<option key=${id} value=${id} selected=${id === guild.id}>${name}</option>`)}
        </select>
      </label>`
    }
    <p class="submit"><button>${t.switch}</button></p>
  </form>`;
}
