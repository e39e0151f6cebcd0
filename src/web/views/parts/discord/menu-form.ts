import type { SandboxDiscord } from '../../../client/records.ts';
import { html } from '../../html.ts';
import { useTexts } from '../../language.ts';
import { useContext, type VNode } from '../../preact.mjs';
import { DISCORD_TEXTS } from '../../texts/discord.ts';
import { SeenContext, type Component } from './state.ts';

/** The types of menus, as Discord numbers them. */
const MENUS = { string: 3, user: 5, role: 6, mentionable: 7, channel: 8 } as const;

interface Entry {
  readonly value: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly chosen: boolean;
}

interface MenuProps {
  readonly component: Component;
  /** The id of the message. */
  readonly message: string;
}

/** A menu of a message. A button sends the choice, because arrow keys change the choice of a menu. */
export function MenuForm({ component, message }: MenuProps): VNode {
  const t = useTexts(DISCORD_TEXTS);
  const { customId = '', placeholder = t.choose, disabled, minValues, maxValues } = component;
  return html`<form
    class="menu-form"
    method="post"
    data-menu=${customId}
    data-message=${message}
    data-least=${minValues}
    data-most=${maxValues}
  >
    <${Entries} component=${component} name="value" label=${placeholder} />
    <button class="button" disabled=${disabled}>${t.use}<span class="unseen"> ${placeholder}</span></button>
  </form>`;
}

interface EntriesProps {
  readonly component: Component;
  /** The name of the field. */
  readonly name: string;
  readonly label: string;
}

/** The entries of a menu: one is chosen from a list, and several with boxes. */
export function Entries({ component, name, label }: EntriesProps): VNode {
  const { placeholder = label, disabled, maxValues, minValues } = component;
  const entries = entriesOf(component, useContext(SeenContext));
  // A menu that the bot has changed shows the new choice.
  const state = entries.map(({ value, chosen }) => `${value}=${chosen}`).join('\n');
  if (maxValues > 1)
    return html`<fieldset class="boxes" key=${state} disabled=${disabled}>
      <legend>${label}</legend>
      ${entries.map(
        ({ value, label: text, description, chosen }) =>
          html`<label key=${value}>
            <input type="checkbox" name=${name} value=${value} defaultChecked=${chosen} />
            <span><bdi>${text}</bdi>${description && html`<small> ${description}</small>`}</span>
          </label>`,
      )}
    </fieldset>`;
  return html`<select name=${name} aria-label=${label} key=${state} disabled=${disabled}>
    ${(minValues === 0 || !entries.some(({ chosen }) => chosen)) && html`<option value="">${placeholder}</option>`}
    ${entries.map(
      ({ value, label: text, description, chosen }) =>
        html`<option key=${value} value=${value} selected=${chosen} title=${description}>${text}</option>`,
    )}
  </select>`;
}

/** The types of channels, as Discord numbers them. */
const CHANNEL_TYPES = { text: 0, voice: 2, news: 5, forum: 15, media: 16 } as const;

function entriesOf({ type, choices, defaults, channelTypes }: Component, seen: SandboxDiscord | undefined): readonly Entry[] {
  const isChosen = (id: string): boolean => defaults.some((one) => one.id === id);
  const { user, role, mentionable, channel } = MENUS;
  const members = (seen?.members ?? []).map(({ id, displayName }) => ({ value: id, label: `@${displayName}`, chosen: isChosen(id) }));
  const roles = (seen?.roles ?? []).map(({ id, name }) => ({ value: id, label: `@${name.replace(/^@/u, '')}`, chosen: isChosen(id) }));
  const channels = (seen?.channels ?? [])
    .filter(({ kind, parent }) => parent === undefined && (channelTypes.length === 0 || channelTypes.includes(CHANNEL_TYPES[kind])))
    .map(({ id, name }) => ({ value: id, label: `#${name}`, chosen: isChosen(id) }));
  if (type === user) return members;
  if (type === role) return roles;
  if (type === mentionable) return [...roles, ...members];
  if (type === channel) return channels;
  return choices.map(({ label, emoji, ...rest }) => ({ ...rest, label: emoji === undefined ? label : `${emoji} ${label}` }));
}
