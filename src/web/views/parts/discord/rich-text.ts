import { html as escaped } from '../../../page/inline/html.ts';
import type { SandboxDiscord } from '../../../client/records.ts';
import { discordTime } from '../../../page/inline/discord-time.ts';
import { markdownBlocks } from '../../../page/inline/markdown-blocks.ts';
import { markdown, type Mentions } from '../../../page/inline/markdown.ts';
import { html } from '../../html.ts';
import { useLanguage, type Language } from '../../language.ts';
import { useContext, type VNode } from '../../preact.mjs';
import { SeenContext } from './state.ts';

/** A text of Discord. Its markup becomes elements, and everything else stays text. */
export function RichText({ text, class: name = 'text' }: { readonly text: string; readonly class?: string }): VNode {
  const mentions = useMentions();
  return html`<${Markup} class=${name} markup=${markdownBlocks(text, mentions)} />`;
}

/** {@link RichText} on one line. */
export function InlineText({ text }: { readonly text: string }): VNode {
  const markup: unknown = markdown(text, useMentions());
  return html`<bdi dangerouslySetInnerHTML=${{ __html: String(markup) }}></bdi>`;
}

interface MarkupProps {
  readonly markup: unknown;
  readonly class: string;
  /** The origin of the sandbox, whose pictures the server of the page forwards. */
  readonly sandboxOrigin?: string | undefined;
}

/** Markup that a renderer of the page made. The renderer escapes the texts in it. */
export function Markup({ markup, class: name, sandboxOrigin }: MarkupProps): VNode {
  const made = String(markup);
  // Quotes in texts are escaped, so the replaced text only occurs in attributes.
  const shown = sandboxOrigin === undefined ? made : made.replaceAll(`src="${sandboxOrigin}/`, 'src="/sandbox-pictures/');
  return html`<div class=${name} dir="auto" dangerouslySetInnerHTML=${{ __html: shown }}></div>`;
}

/** The names behind mentions, and the times in texts. */
export function useMentions(): Mentions {
  return mentionsOf(useContext(SeenContext), useLanguage());
}

function mentionsOf(seen: SandboxDiscord | undefined, language: Language): Mentions {
  return {
    user: (id) => `@${seen?.members.find((one) => one.id === id)?.displayName ?? id}`,
    role: (id) => `@${seen?.roles.find((one) => one.id === id)?.name.replace(/^@/u, '') ?? id}`,
    channel: (id) => `#${seen?.channels.find((one) => one.id === id)?.name ?? id}`,
    // The script changes the texts of times alone: a new markup for each second would take the focus from its links.
    time: (at, style) =>
      escaped`<time class="instant" datetime="${isoOf(at)}" data-style="${style}" aria-live="off">${discordTime(at.getTime(), style, { nowMs: undefined, locale: localeOf(language), timeZone: 'UTC' })}</time>`,
  };
}

function isoOf(at: Date): string {
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

/** The locale of the times in texts of Discord. */
export function localeOf(language: Language): string {
  return language === 'de' ? 'de' : 'en-GB';
}
