import { html } from 'hono/html';
import type { Embed } from '#src/clients/chat/records.ts';
import type { Html } from '../../page/inline/elements.ts';
import { link } from '../../page/inline/link.ts';
import { imageUrl } from '../../page/inline/safe-url.ts';
import { markdown, unlinkedMarkdown } from '../../page/inline/markdown.ts';

const NO_COLOR = 0x1e1f22;

/** An embed of a message, with its colour at the side. */
export function embedCard({
  author,
  title,
  url,
  description,
  image,
  altText = '',
  thumbnail,
  footer,
  color = NO_COLOR,
  fields = [],
}: Embed): Html {
  // The colour is an attribute of an SVG, because the content security policy forbids inline styles.
  return html`<div class="embed">
    <svg class="embed-bar" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width="1" height="1" fill="#${color.toString(16).padStart(6, '0')}" />
    </svg>
    <div class="embed-text">
      ${author ? html`<p class="embed-author"><bdi>${author.url ? link(author.url, author.name) : author.name}</bdi></p>` : ''}
      ${title ? html`<p class="embed-title" dir="auto">${url ? link(url, unlinkedMarkdown(title)) : markdown(title)}</p>` : ''}
      ${description ? html`<p class="text" dir="auto">${markdown(description)}</p>` : ''}
      ${fields.length > 0 ? html`<dl class="embed-fields">${fields.map(field)}</dl>` : ''}
    </div>
    ${picture(thumbnail, 'embed-thumbnail')}${picture(image, 'embed-image', altText)}
    ${footer ? html`<p class="embed-footer"><bdi>${footer}</bdi></p>` : ''}
  </div>`;
}

function field({ name, value, inline }: { readonly name: string; readonly value: string; readonly inline?: boolean | undefined }): Html {
  return html`<div class="${inline ? 'inline' : ''}">
    <dt dir="auto">${markdown(name)}</dt>
    <dd dir="auto">${markdown(value)}</dd>
  </div>`;
}

function picture(address: string | undefined, kind: string, altText = ''): Html | string {
  const source = imageUrl(address);
  return source === undefined ? '' : html`<img class="${kind}" src="${source}" alt="${altText}" loading="lazy" decoding="async" />`;
}
