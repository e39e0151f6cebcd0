import htm from 'htm';
import { withoutDirectionControls } from './direction-controls.ts';
import { h, type VNode } from './preact.mjs';

/** Makes the element of a template, with one root element. Texts are escaped; `undefined` and `false` show nothing. */
type Template = (template: TemplateStringsArray, ...inserted: readonly unknown[]) => VNode;

// Node and bundlers load the ES module of htm, but its types describe the CommonJS module.
export const html = (htm as unknown as { bind(create: typeof h): Template }).bind((type, props, ...children) =>
  h(type, props, ...children.map(cleaned)),
);

function cleaned(child: unknown): unknown {
  if (Array.isArray(child)) return child.map(cleaned);
  return typeof child === 'string' ? withoutDirectionControls(child) : child;
}
