import { html } from 'hono/html';
import type { Embed } from '../messages/embed.ts';
import { inline, linked } from './inline.ts';
import { writtenAt } from './instant.ts';
import { safeUrl, type Html, type Looker } from './looker.ts';
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
