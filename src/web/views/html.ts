import htm from 'htm';
import { h, type VNode } from './preact.mjs';

/** Makes the element of a template, with one root element. Texts are escaped; `undefined` and `false` show nothing. */
type Template = (template: TemplateStringsArray, ...inserted: readonly unknown[]) => VNode;

// Node and bundlers load the ES module of htm, but its types describe the CommonJS module.
export const html = (htm as unknown as { bind(create: typeof h): Template }).bind(h);
