import { html } from 'hono/html';
import { COMPONENT_TYPES, LINK_BUTTON, type Component } from '../messages/component.ts';
import { picture } from './embed.ts';
import type { Html, Looker } from './looker.ts';
import { markdown } from './markdown.ts';

const BUTTONS = ['', 'primary', 'secondary', 'success', 'danger', 'secondary', 'premium'];
const PARAGRAPH = 2;

/** What stands below, or instead of, the text of a message. */
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
