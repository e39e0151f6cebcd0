import { html } from 'hono/html';
import type { Html } from '#src/web/page/inline/elements.ts';
import { link } from '#src/web/page/inline/link.ts';
import { safeUrl } from '#src/web/page/inline/safe-url.ts';
import { COMPONENT_TYPES, type Component, LINK_BUTTON, type Media } from '../messages/component.ts';
import type { Embed } from '../messages/parts.ts';
import { hexColor, type PageContext, timeOfMessage } from './context.ts';
import { inline, label, markdown } from './markdown.ts';

export function embedCard(embed: Embed, context: PageContext): Html {
  const { title, description, url, color, author, fields, image, thumbnail } = embed;
  return html`<article class="embed" style="border-left-color:${color ? hexColor(color) : '#3f4147'}">
    <div class="embed-body">
      ${author?.name && html`<div class="embed-author">${picture(author.icon_url, 'icon')}${link(author.url ?? undefined, author.name)}</div>`}
      ${title && html`<div class="embed-title">${url ? link(url, label(title, context)) : inline(title, context)}</div>`}
      ${description && html`<div class="embed-description">${markdown(description, context)}</div>`}
      ${fields?.length ? fieldsOf(fields, context) : ''} ${picture(image?.url, 'embed-image', image?.description ?? '')}
      ${footerOf(embed, context)}
    </div>
    ${picture(thumbnail?.url, 'embed-thumbnail')}
  </article>`;
}

/** An image, if a browser may load its address. */
export function picture(address: string | null | undefined, kind: string, description = ''): Html | '' {
  const url = safeUrl(address ?? undefined);
  return url === undefined ? '' : html`<img class="${kind}" src="${url}" alt="${description}" />`;
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
export function components(all: readonly Component[], context: PageContext): Html {
  return html`${all.map((one) => component(one, context))}`;
}

function component(one: Component, context: PageContext): Html {
  const { row, button: pressed, section, text, thumbnail, gallery, file, separator, container } = COMPONENT_TYPES;
  switch (one.type) {
    case row:
      return html`<div class="row">${components(one.inner, context)}</div>`;
    case pressed:
      return button(one);
    case section:
      return html`<div class="section">
        <div class="section-texts">${components(one.inner, context)}</div>
        ${one.accessory ? component(one.accessory, context) : ''}
      </div>`;
    case text:
      return html`<div class="text-display">${markdown(one.content ?? '', context)}</div>`;
    case thumbnail:
      return html`${one.media.map((media) => medium(media, 'embed-thumbnail'))}`;
    case gallery:
      return html`<div class="gallery">${one.media.map((media) => medium(media, 'attachment'))}</div>`;
    case file:
      return html`${one.media.map(({ url }) => html`<div class="file"><span>📄</span>${link(url, url.split('/').at(-1) ?? url)}</div>`)}`;
    case separator:
      return one.divider ? html`<hr />` : html`<div class="gap"></div>`;
    case container:
      return html`<article class="container" style="border-left-color:${one.color === undefined ? '#3f4147' : hexColor(one.color)}">
        ${components(one.inner, context)}
      </article>`;
    default:
      return select(one, context);
  }
}

function medium({ url, description, spoiler }: Media, kind: string): Html | '' {
  return picture(url, spoiler ? `${kind} hidden` : kind, description);
}

function button({ label: caption, emoji, style = 2, disabled }: Component): Html {
  return html`<span class="button ${BUTTONS[style]} ${disabled ? 'disabled' : ''}">
    ${emoji && html`<span>${emoji}</span>`}${caption}${style === LINK_BUTTON && html`<span class="away">↗</span>`}
  </span>`;
}

function select({ placeholder, choices, defaults, disabled }: Component, context: PageContext): Html {
  const signs = { user: '@', role: '@&', channel: '#' } as const;
  const chosen = [
    ...choices.filter((choice) => choice.chosen).map((choice) => choice.label),
    ...defaults.map(({ id, type }) => inline(`<${signs[type]}${id}>`, context)),
  ];
  return html`<div class="select ${disabled ? 'disabled' : ''}">
    <div class="select-head">
      <span class="${chosen.length === 0 ? 'placeholder' : ''}">
        ${chosen.length > 0 ? chosen.map((name, index) => html`${index > 0 ? ', ' : ''}${name}`) : (placeholder ?? 'Make a selection')}
      </span>
      <span>⌄</span>
    </div>
  </div>`;
}
