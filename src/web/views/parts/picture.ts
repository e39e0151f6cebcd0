import { safeUrl } from '../../page/inline/safe-url.ts';
import { html } from '../html.ts';
import type { VNode } from '../preact.mjs';
import type { Reader } from '../view.ts';

interface PictureProps {
  /** The address in a record of a platform. */
  readonly url: string | undefined;
  readonly reader: Pick<Reader, 'sandboxOrigin'>;
}

/** The profile picture of a person. Its name is beside it, so it has no text. */
export function Picture({ url, reader }: PictureProps): VNode {
  const address = addressOfPicture(url, reader);
  return address === undefined
    ? html`<span class="avatar" aria-hidden="true"></span>`
    : html`<img class="avatar" src=${address} alt="" width="40" height="40" loading="lazy" />`;
}

/** An address that a browser may load. A browser on another machine cannot reach the sandbox itself. */
export function addressOfPicture(url: string | undefined, { sandboxOrigin }: Pick<Reader, 'sandboxOrigin'>): string | undefined {
  const isOfSandbox = sandboxOrigin !== undefined && url?.startsWith(`${sandboxOrigin}/`) === true;
  return isOfSandbox ? `/sandbox-pictures${url.slice(sandboxOrigin.length)}` : safeUrl(url);
}
