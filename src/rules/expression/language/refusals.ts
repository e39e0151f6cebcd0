import { ExpressionError } from '../complaints/expression-error.ts';
import { DATE_STYLES, isZone } from '../spoken.ts';
import { callArguments, calledName, isLoop, nameStart, walk, written, type Node } from './tree.ts';

const REFUSED: Readonly<Record<string, string>> = {
  has: 'every field is there: what a record does not say is empty, so compare with "" or use .size() > 0, and compare a number directly',
  dyn: 'write the value itself: its type is known',
  type: 'types are known when the rule is loaded: nothing needs to ask for one',
  matches: 'use rx(text, "pattern"), which takes linear time',
  bind: 'write the value out where it is needed',
};

const MOST_LOOPS = 2;
/** Methods that take a time zone. */
const IN_ZONE = /^get(?:Date|DayOfMonth|DayOfWeek|DayOfYear|FullYear|Hours|Milliseconds|Minutes|Month|Seconds)$/u;

/** Refuses what could run on, what hides a typo, and what can be known to fail. */
export function refuse(tree: Node): void {
  walk(tree, (node, loops) => {
    const name = calledName(node);
    const hint = name !== undefined && Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
    if (hint !== undefined)
      throw new ExpressionError(`${name === 'bind' ? 'cel.bind' : name} cannot be used here`, { at: nameStart(node), hint });
    if (name === 'date') refuseDate(node);
    if (name !== undefined && IN_ZONE.test(name)) callArguments(node).slice(1).forEach(refuseZone);
    if (loops >= MOST_LOOPS && node.meta.alternate && isLoop(node.meta.alternate)) {
      throw new ExpressionError('more than two loops stand inside each other', {
        at: node.start,
        hint: 'take the inner part apart, or ask less',
      });
    }
  });
}

function refuseDate(call: Node): void {
  const [, zone, style] = callArguments(call);
  if (zone) refuseZone(zone);
  if (style && (style.op !== 'value' || !DATE_STYLES.includes(String(style.args)))) {
    throw new ExpressionError(`date has no style ${written(style)}`, { at: style.start, hint: `it has ${DATE_STYLES.join(', ')}` });
  }
}

function refuseZone(zone: Node): void {
  if (zone.op !== 'value' || typeof zone.args !== 'string') {
    throw new ExpressionError('a time zone must be written out between quotes', { at: zone.start, hint: 'for example "Europe/Paris"' });
  }
  if (!isZone(zone.args)) {
    throw new ExpressionError(`there is no time zone "${zone.args}"`, { at: zone.start, hint: 'for example "Europe/Paris"' });
  }
}
