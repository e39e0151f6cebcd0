import { enumerate } from '../../wording/enumerate.ts';
import { callArguments, calledName, written, type Node } from '../language/tree.ts';
import { typeNameWords } from './type-words.ts';
import type { CallForm, Known } from './unknown.ts';

const MOST_FORMS = 3;
/** What can stand before a point as it is. */
const CLOSED = ['id', 'value', 'call', 'rcall', '.', '.?', '[]', '[?]'];

/** How the function is called that was called wrongly. */
export function callHint(node: Node, { functions }: Known): string | undefined {
  const name = calledName(node) ?? '';
  const forms = functions.get(name) ?? [];
  const [first, ...rest] = callArguments(node);
  const isMethod = node.op === 'rcall';
  if (first && forms.length > 0 && forms.every(({ on }) => (on !== undefined) !== isMethod)) {
    const subject = CLOSED.includes(first.op) ? written(first) : `(${written(first)})`;
    const others = rest.map(written);
    return isMethod ? `write ${name}(${[written(first), ...others].join(', ')})` : `write ${subject}.${name}(${others.join(', ')})`;
  }
  const said = [...new Set(forms.flatMap((form) => formWords(name, form) ?? []))].slice(0, MOST_FORMS);
  return said.length > 0 ? `it goes as ${enumerate(said)}` : undefined;
}

/** The form as one reads it: `compact(a whole number)`; undefined for what few have a use for. */
function formWords(name: string, { on, given }: CallForm): string | undefined {
  const words = given.map(typeNameWords);
  const receiver = on === undefined ? '' : typeNameWords(on);
  if (receiver === undefined || !words.every((one) => one !== undefined)) return undefined;
  return `${receiver === '' ? '' : `${receiver}.`}${name}(${words.join(', ')})`;
}
