import { html } from '../html.ts';
import type { VNode } from '../preact.mjs';
import type { Address } from '../view.ts';

/** A field for a form that opens its own address again, with a fragment: browsers load such an address only if its query differs. */
export function Again({ address: { query } }: { readonly address: Address }): VNode | undefined {
  return query['again'] === undefined ? html`<input type="hidden" name="again" value="yes" />` : undefined;
}
