import type { html } from 'hono/html';

/** A piece of a page, escaped already. */
export type Html = ReturnType<typeof html>;
