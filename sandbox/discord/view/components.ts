import { html } from 'hono/html';
import { COMPONENT_TYPES, type Component, LINK_BUTTON } from '../messages/component.ts';
import type { Embed } from '../messages/parts.ts';
import { inline, linked } from './inline.ts';
import { writtenAt } from './instant.ts';
import { type Html, type Looker, safeUrl } from './looker.ts';
import { markdown } from './markdown.ts';

/** A card below a message. */
export function embedCard(embed: Embed, looker: Looker): Html {
  const { title, description, url, color, author, fields, image, thumbnail } = embed;
  return html`<article class="embed" style="border-left-color:${color ? `#${color.toString(16).padStart(6, '0')}` : '#3f4147'}">
    <div class="embed-body">
      ${author?.name && html`<div class="embed-author">${picture(author.icon_url, 'icon')}${linked(author.url ?? undefined, author.name)}</div>`}
      ${title && html`<div class="embed-title">${linked(url ?? undefined, inline(title, looker))}</div>`}
      ${description && html`<div class="embed-description">${markdown(description, looker)}</div>`}
      ${fields?.length ? fieldsOf(fields, looker) : ''} ${picture(image?.url, 'embed-image')} ${footerOf(embed, looker)}
    </div>
    ${picture(thumbnail?.url, 'embed-thumbnail')}
  </article>`;
}

/** A picture, where a browser may load it. */
export function picture(address: string | null | undefined, kind: string): Html | '' {
  const url = safeUrl(address ?? undefined);
  return url === undefined ? '' : html`<img class="${kind}" src="${url}" alt="" />`;
}

function fieldsOf(fields: NonNullable<Embed['fields']>, looker: Looker): Html {
  return html`<div class="fields">
    ${fields.map(
      ({ name, value, inline: beside }) =>
        html`<div class="field ${beside ? 'beside' : ''}">
          <div class="field-name">${inline(name, looker)}</div>
          ${markdown(value, looker)}
        </div>`,
    )}
  </div>`;
}

function footerOf({ footer, timestamp }: Embed, looker: Looker): Html | '' {
  const parts = [footer?.text, timestamp ? writtenAt(Date.parse(timestamp), looker) : undefined].filter((part) => part);
  return parts.length > 0 ? html`<footer>${picture(footer?.icon_url, 'icon')}<span>${parts.join(' • ')}</span></footer>` : '';
}

const BUTTONS = ['', 'primary', 'secondary', 'success', 'danger', 'secondary', 'premium'];
const PARAGRAPH = 2;

/** The components of a message. */
export function components(all: readonly Component[], looker: Looker): Html {
  return html`${all.map((one) => component(one, looker))}`;
}

function component(one: Component, looker: Looker): Html {
  const inner = (): Html => components(one.inner, looker);
  switch (one.type) {
    case COMPONENT_TYPES.row:
      return html`<div class="row">${inner()}</div>`;
    case COMPONENT_TYPES.button:
      return button(one);
    case COMPONENT_TYPES.text:
      return markdown(one.content ?? '', looker);
    case COMPONENT_TYPES.section:
      return html`<div class="section">
        <div>${components(one.inner.slice(0, -1), looker)}</div>
        ${components(one.inner.slice(-1), looker)}
      </div>`;
    case COMPONENT_TYPES.thumbnail:
      return html`${one.pictures.map((url) => picture(url, 'embed-thumbnail'))}`;
    case COMPONENT_TYPES.gallery:
      return html`<div class="gallery">${one.pictures.map((url) => picture(url, 'embed-image'))}</div>`;
    case COMPONENT_TYPES.separator:
      return html`<hr />`;
    case COMPONENT_TYPES.container:
      return html`<div class="embed container">${inner()}</div>`;
    case COMPONENT_TYPES.textInput:
      return textInput(one);
    case COMPONENT_TYPES.label:
      return html`<div class="label">
        <b>${one.label}${one.inner[0]?.required && html`<em>*</em>`}</b>
        ${one.description && html`<small>${one.description}</small>`}${inner()}
      </div>`;
    default:
      return select(one, looker);
  }
}

function button({ label, emoji, style = 2, disabled }: Component): Html {
  return html`<span class="button ${BUTTONS[style]} ${disabled ? 'disabled' : ''}">
    ${emoji && html`<span>${emoji}</span>`}${label}${style === LINK_BUTTON && html`<span class="away">↗</span>`}
  </span>`;
}

function select({ placeholder, choices, disabled }: Component, { unfolded }: Looker): Html {
  const chosen = choices.filter((choice) => choice.chosen);
  return html`<div class="select ${disabled ? 'disabled' : ''}">
    <div class="select-head">
      <span class="${chosen.length === 0 ? 'placeholder' : ''}">
        ${chosen.length > 0 ? chosen.map(({ label }) => label).join(', ') : (placeholder ?? 'Make a selection')}
      </span>
      <span>⌄</span>
    </div>
    ${
      unfolded && !disabled && choices.length > 0
        ? html`<div class="choices">
            ${choices.map(
              (choice) =>
                html`<div class="choice ${choice.chosen ? 'chosen' : ''}">
                  ${choice.emoji && html`<span>${choice.emoji}</span>`}
                  <div>${choice.label}${choice.description && html`<small>${choice.description}</small>`}</div>
                </div>`,
            )}
          </div>`
        : ''
    }
  </div>`;
}

function textInput({ label, required, value, placeholder, style }: Component): Html {
  return html`${label && html`<b>${label}${required && html`<em>*</em>`}</b>`}
    <div class="input ${style === PARAGRAPH ? 'paragraph' : ''} ${value ? '' : 'placeholder'}">${value ? value : placeholder}</div>`;
}
