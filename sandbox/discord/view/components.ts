import { html } from 'hono/html';
import { COMPONENT_TYPES, type Component, LINK_BUTTON } from '../messages/component.ts';
import type { Embed } from '../messages/parts.ts';
import { type Html, type PageContext, safeUrl, timeOfMessage } from './context.ts';
import { inline, linked, markdown } from './markdown.ts';

export function embedCard(embed: Embed, context: PageContext): Html {
  const { title, description, url, color, author, fields, image, thumbnail } = embed;
  return html`<article class="embed" style="border-left-color:${color ? `#${color.toString(16).padStart(6, '0')}` : '#3f4147'}">
    <div class="embed-body">
      ${author?.name && html`<div class="embed-author">${picture(author.icon_url, 'icon')}${linked(author.url ?? undefined, author.name)}</div>`}
      ${title && html`<div class="embed-title">${linked(url ?? undefined, inline(title, context))}</div>`}
      ${description && html`<div class="embed-description">${markdown(description, context)}</div>`}
      ${fields?.length ? fieldsOf(fields, context) : ''} ${picture(image?.url, 'embed-image')} ${footerOf(embed, context)}
    </div>
    ${picture(thumbnail?.url, 'embed-thumbnail')}
  </article>`;
}

/** An image, if a browser may load its address. */
export function picture(address: string | null | undefined, kind: string): Html | '' {
  const url = safeUrl(address ?? undefined);
  return url === undefined ? '' : html`<img class="${kind}" src="${url}" alt="" />`;
}

function fieldsOf(fields: NonNullable<Embed['fields']>, context: PageContext): Html {
  return html`<div class="fields">
    ${fields.map(
      ({ name, value, inline: beside }) =>
        html`<div class="field ${beside ? 'beside' : ''}">
          <div class="field-name">${inline(name, context)}</div>
          ${markdown(value, context)}
        </div>`,
    )}
  </div>`;
}

function footerOf({ footer, timestamp }: Embed, context: PageContext): Html | '' {
  const parts = [footer?.text, timestamp ? timeOfMessage(Date.parse(timestamp), context) : undefined].filter((part) => part);
  return parts.length > 0 ? html`<footer>${picture(footer?.icon_url, 'icon')}<span>${parts.join(' • ')}</span></footer>` : '';
}

const BUTTONS = ['', 'primary', 'secondary', 'success', 'danger', 'secondary', 'premium'];

/** The components of a message. */
export function components(all: readonly Component[]): Html {
  return html`${all.map(component)}`;
}

function component(one: Component): Html {
  switch (one.type) {
    case COMPONENT_TYPES.row:
      return html`<div class="row">${components(one.inner)}</div>`;
    case COMPONENT_TYPES.button:
      return button(one);
    default:
      return select(one);
  }
}

function button({ label, emoji, style = 2, disabled }: Component): Html {
  return html`<span class="button ${BUTTONS[style]} ${disabled ? 'disabled' : ''}">
    ${emoji && html`<span>${emoji}</span>`}${label}${style === LINK_BUTTON && html`<span class="away">↗</span>`}
  </span>`;
}

function select({ placeholder, choices, disabled }: Component): Html {
  const chosen = choices.filter((choice) => choice.chosen);
  return html`<div class="select ${disabled ? 'disabled' : ''}">
    <div class="select-head">
      <span class="${chosen.length === 0 ? 'placeholder' : ''}">
        ${chosen.length > 0 ? chosen.map(({ label }) => label).join(', ') : (placeholder ?? 'Make a selection')}
      </span>
      <span>⌄</span>
    </div>
  </div>`;
}
