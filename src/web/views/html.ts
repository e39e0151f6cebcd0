import htm from 'htm';
import { withoutDirectionControls } from '../direction-controls.ts';
import { h, type VNode } from './preact.mjs';

/** Makes the element of a template, with one root element. Texts are escaped; `undefined` and `false` show nothing. */
type Template = (template: TemplateStringsArray, ...inserted: readonly unknown[]) => VNode;

// Node and bundlers load the ES module of htm, but its types describe the CommonJS module.
export const html = (htm as unknown as { bind(create: typeof h): Template }).bind((type, props, ...children) =>
  h(type, cleanedAttributes(props), ...children.map(cleaned)),
);

/** The attributes that show or speak a text. The values of fields stay. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'alt', 'aria-label', 'placeholder']);

function cleanedAttributes(props: Parameters<typeof h>[1]): Parameters<typeof h>[1] {
  return props && Object.fromEntries(Object.entries(props).map(([name, value]) => [name, TEXTS.has(name) ? cleaned(value) : value]));
}

function cleaned(child: unknown): unknown {
  if (Array.isArray(child)) return child.map(cleaned);
  return typeof child === 'string' ? withoutDirectionControls(child) : child;
}
