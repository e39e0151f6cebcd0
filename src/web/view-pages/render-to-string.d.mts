import type { VNode } from '../views/preact.mjs';

/** Renders a view as HTML. Texts are escaped. */
export function renderToString(view: VNode): string;
