import { html } from '../../page/inline/html.ts';
import type { Embed } from '#src/clients/chat/records.ts';
import type { Html } from '../../page/inline/elements.ts';
import { link } from '../../page/inline/link.ts';
import { imageUrl } from '../../page/inline/safe-url.ts';
import { markdown, unlinkedMarkdown, type Mentions } from '../../page/inline/markdown.ts';

const NO_COLOR = 0x1e1f22;

type Field = NonNullable<Embed['fields']>[number];

/** An embed as a renderer reads it. */
type Card = Omit<Embed, 'fields'> & { readonly fields?: readonly Field[] | undefined };

/** An embed of a message, with its colour at the side. */
export function embedCard(
  { author, title, url, description, image, altText = '', thumbnail, footer, color = NO_COLOR, fields = [] }: Card,
  mentions?: Mentions,
): Html {
  // The colour is an attribute of an SVG, because the content security policy forbids inline styles.
  return html`<div class="embed">
    <svg class="embed-bar" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width="1" height="1" fill="#${color.toString(16).padStart(6, '0')}" />
    </svg>
    <div class="embed-text">
      ${author ? html`<p class="embed-author"><bdi>${author.url ? link(author.url, author.name) : author.name}</bdi></p>` : ''}
      ${title ? html`<p class="embed-title" dir="auto">${url ? link(url, unlinkedMarkdown(title, mentions)) : markdown(title, mentions)}</p>` : ''}
      ${description ? html`<p class="text" dir="auto">${markdown(description, mentions)}</p>` : ''}
      ${fields.length > 0 ? html`<dl class="embed-fields">${fields.map((each) => field(each, mentions))}</dl>` : ''}
    </div>
    ${picture(thumbnail, 'embed-thumbnail')}${picture(image, 'embed-image', altText)}
    ${footer ? html`<p class="embed-footer"><bdi>${footer}</bdi></p>` : ''}
  </div>`;
}

function field({ name, value, inline }: Field, mentions: Mentions | undefined): Html {
  return html`<div class="${inline ? 'inline' : ''}">
    <dt dir="auto">${markdown(name, mentions)}</dt>
    <dd dir="auto">${markdown(value, mentions)}</dd>
  </div>`;
}

function picture(address: string | undefined, kind: string, altText = ''): Html | string {
  const source = imageUrl(address);
  return source === undefined ? '' : html`<img class="${kind}" src="${source}" alt="${altText}" loading="lazy" decoding="async" />`;
}
