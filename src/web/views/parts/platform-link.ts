import type { VNode } from '../preact.mjs';
import { safeUrl } from '../../page/inline/safe-url.ts';
import { html } from '../html.ts';

interface PlatformLinkProps {
  /** The address in a record of a platform. */
  readonly url: string | undefined;
  readonly text: string;
  /** What the link opens, for screen readers. */
  readonly of: string;
}

/** A link to a platform; nothing without a safe address. */
export function PlatformLink({ url, text, of }: PlatformLinkProps): VNode | undefined {
  const address = safeUrl(url);
  if (address === undefined) return undefined;
  return html`<a href=${address} target="_blank" rel="noopener noreferrer">${text}<span class="unseen"> ${of}</span></a>`;
}
