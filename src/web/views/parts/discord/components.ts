import { safeUrl } from '../../../page/inline/safe-url.ts';
import { html } from '../../html.ts';
import { useTexts } from '../../language.ts';
import type { VNode } from '../../preact.mjs';
import { DISCORD_TEXTS } from '../../texts/discord.ts';
import type { Reader } from '../../view.ts';
import { addressOfPicture } from '../picture.ts';
import { RichText } from './rich-text.ts';
import { MenuForm } from './menu-form.ts';
import type { Component } from './state.ts';

/** The types of components, as Discord numbers them. */
export const TYPES = {
  row: 1,
  button: 2,
  textInput: 4,
  section: 9,
  text: 10,
  thumbnail: 11,
  gallery: 12,
  file: 13,
  separator: 14,
  container: 17,
  label: 18,
} as const;

const STYLES = ['', 'primary', 'secondary', 'success', 'danger', 'link', 'premium'];

interface ComponentsProps {
  readonly components: readonly Component[];
  /** The id of the message. */
  readonly message: string;
  readonly reader: Reader;
}

/** The components of a message: texts, pictures, buttons and menus. */
export function Components({ components, message, reader }: ComponentsProps): VNode {
  return html`<div class="components">
    ${components.map((component, index) => html`<${One} key=${component.customId ?? index} ...${{ component, message, reader }} />`)}
  </div>`;
}

type OneProps = Omit<ComponentsProps, 'components'> & { readonly component: Component };

function One({ component, message, reader }: OneProps): VNode {
  const { type, inner, accessory, content = '', media, divider, color } = component;
  const of = { message, reader };
  const all = inner.map((each, index) => html`<${One} key=${each.customId ?? index} component=${each} ...${of} />`);
  switch (type) {
    case TYPES.row:
      return html`<div class="row">${all}</div>`;
    case TYPES.button:
      return html`<${Button} component=${component} message=${message} />`;
    case TYPES.section:
      return html`<div class="section">
        <div>${all}</div>
        ${accessory && html`<${One} component=${accessory} ...${of} />`}
      </div>`;
    case TYPES.text:
      return html`<${RichText} text=${content} />`;
    case TYPES.thumbnail:
    case TYPES.gallery:
      return html`<div class=${type === TYPES.gallery ? 'gallery' : 'thumbnail'}>
        ${media.map(({ url, description }) => html`<${Media} key=${url} url=${url} description=${description} reader=${reader} />`)}
      </div>`;
    case TYPES.file:
      return html`<div>
        ${media.map(({ url }) => html`<${FileLink} key=${url} name=${url.split('/').at(-1) ?? url} url=${url} reader=${reader} />`)}
      </div>`;
    case TYPES.separator:
      return divider ? html`<hr />` : html`<div class="gap"></div>`;
    case TYPES.container:
      return html`<div class="container">${color !== undefined && html`<${Edge} color=${color} />`}${all}</div>`;
    default:
      return html`<${MenuForm} component=${component} message=${message} />`;
  }
}

/** The colour is an attribute of an SVG, because the content security policy forbids inline styles. */
function Edge({ color }: { readonly color: number }): VNode {
  return html`<svg class="embed-bar" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
    <rect width="1" height="1" fill=${`#${color.toString(16).padStart(6, '0')}`} />
  </svg>`;
}

function Button({
  component: { label, emoji, style = 2, url, customId, disabled },
  message,
}: Pick<OneProps, 'component' | 'message'>): VNode {
  const t = useTexts(DISCORD_TEXTS);
  const text = html`<span>${emoji && html`<span>${emoji} </span>`}<bdi>${label}</bdi></span>`;
  const address = safeUrl(url);
  if (address !== undefined) {
    return html`<a class="button" href=${address} target="_blank" rel="noopener noreferrer">${text}<span aria-hidden="true"> ↗</span></a>`;
  }
  return html`<button
    type="button"
    class=${`button ${STYLES[style] ?? ''}`}
    aria-label=${label === undefined ? (emoji ?? t.button) : undefined}
    disabled=${disabled}
    data-press=${customId}
    data-message=${message}
  >
    ${text}
  </button>`;
}

interface MediaProps {
  readonly url: string;
  readonly description?: string | undefined;
  readonly reader: Reader;
}

/** A picture of a message. */
export function Media({ url, description = '', reader }: MediaProps): VNode | false {
  const address = addressOfPicture(url, reader);
  return address !== undefined && html`<img class="file" src=${address} alt=${description} loading="lazy" />`;
}

/** A link to a file of a message. */
export function FileLink({ url, name, reader }: Omit<MediaProps, 'description'> & { readonly name: string }): VNode {
  const address = addressOfPicture(url, reader);
  return html`<p class="file">
    ${address === undefined ? name : html`<a href=${address} target="_blank" rel="noopener noreferrer"><bdi>${name}</bdi></a>`}
  </p>`;
}
